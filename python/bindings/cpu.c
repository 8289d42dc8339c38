// Module _cpu: what the processor lacks of what the rest was compiled for. Its functions are the
// only ones that may run on any machine; see python/CMakeLists.txt.
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#if defined(__x86_64__) || defined(__i386__)
#define LACKS(feature) (!__builtin_cpu_supports(feature))
#else
#define LACKS(feature) 0
#endif

static int append(PyObject* list, const char* name) {
  PyObject* text = PyUnicode_FromString(name);
  const int failed = text == NULL || PyList_Append(list, text) != 0;
  Py_XDECREF(text);
  return failed;
}

static PyObject* missing(PyObject* self, PyObject* unused) {
  (void)self;
  (void)unused;
  PyObject* list = PyList_New(0);
  int failed = list == NULL;
#ifdef ARDENT_USES_AVX
  if (!failed && LACKS("avx")) failed = append(list, "AVX");
#endif
#ifdef ARDENT_USES_AVX2
  if (!failed && LACKS("avx2")) failed = append(list, "AVX2");
#endif
#ifdef ARDENT_USES_FMA
  if (!failed && LACKS("fma")) failed = append(list, "FMA");
#endif
#ifdef ARDENT_USES_AVX512F
  if (!failed && LACKS("avx512f")) failed = append(list, "AVX512F");
#endif
#ifdef ARDENT_USES_AVX512BW
  if (!failed && LACKS("avx512bw")) failed = append(list, "AVX512BW");
#endif
#ifdef ARDENT_USES_AVX512VL
  if (!failed && LACKS("avx512vl")) failed = append(list, "AVX512VL");
#endif
  if (!failed) return list;
  Py_XDECREF(list);
  return NULL;
}

static PyMethodDef methods[] = {
    {"missing", missing, METH_NOARGS,
     "Instructions that ardent was compiled for and this processor lacks."},
    {NULL, NULL, 0, NULL}};

static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT, "_cpu", NULL, 0, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__cpu(void) {
  return PyModule_Create(&module);
}
