// Module _cpu: what the processor lacks of what the rest was compiled for. Its functions are the
// only ones that may run on any machine; see python/CMakeLists.txt.
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "ardent/base/processor.h"

static PyObject* missing(PyObject* self, PyObject* unused) {
  (void)self;
  (void)unused;
  char names[ARDENT_MISSING_SIZE];
  ardent_missing_instructions(names);
  return PyUnicode_FromString(names);
}

static PyMethodDef methods[] = {
    {"missing", missing, METH_NOARGS,
     "Instructions that ardent was compiled for and this processor lacks: 'AVX2, FMA', or ''."},
    {NULL, NULL, 0, NULL}};

static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT, "_cpu", NULL, 0, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__cpu(void) {
  return PyModule_Create(&module);
}
