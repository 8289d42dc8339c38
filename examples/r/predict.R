# Predicts the rows of a CSV file with a model of ardent: Rscript predict.R ardent.so MODEL DATA.csv
# Columns that are no numbers (the label) are left out. Prints a line per row: the label and the
# probabilities of the classes, or mean and variance.
arguments <- commandArgs(trailingOnly = TRUE)
dyn.load(arguments[1])
model <- .Call("load_model", arguments[2])
data <- read.csv(arguments[3])
x <- t(as.matrix(data[sapply(data, is.numeric)]))
storage.mode(x) <- "double"
found <- .Call("predict_columns", model, x)
labels <- .Call("model_labels", model)
for (i in seq_len(ncol(found))) {
  words <- sprintf("%.17g", found[, i])
  if (length(labels) > 0) words <- c(labels[which.max(found[, i])], words)
  cat(words, sep = " ")
  cat("\n")
}
