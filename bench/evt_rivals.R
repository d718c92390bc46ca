# Fits by R's package evd to the samples of evt_rivals.py, in its lines and printed as evt_lines.c
# does. The first argument is the relative tolerance of optim, or `default`: evd as it is. With a
# tolerance optim is also told the size of the parameters, which its steps for derivatives need.
suppressMessages(library(evd))
arguments <- commandArgs(trailingOnly = TRUE)
control_of <- function(values, peaks) {
  if (arguments[1] == "default") return(list(maxit = 10000))
  sizes <- c(if (!peaks) sd(values), sd(values), 1) / 30
  list(reltol = as.numeric(arguments[1]), maxit = 10000, parscale = sizes)
}
lines <- readLines(file("stdin"))
for (line in lines) {
  words <- strsplit(line, " ")[[1]]
  peaks <- words[2] == "gpd"
  values <- as.numeric(words[(if (peaks) 5 else 4):length(words)])
  control <- control_of(values, peaks)
  start <- proc.time()[["elapsed"]]
  fit <- tryCatch(
    suppressWarnings(
      if (peaks) fpot(values, as.numeric(words[3]), model = "gpd", control = control)
      else fgev(values, control = control)),
    error = function(e) NULL)
  seconds <- proc.time()[["elapsed"]] - start
  if (is.null(fit)) {
    cat(words[1], sprintf("%.9f", seconds), "1\n")
  } else {
    errors <- fit$std.err
    if (length(errors) != length(fit$estimate)) errors <- rep(NaN, length(fit$estimate))
    cat(words[1], sprintf("%.9f", seconds), "0", sprintf("%.17g", fit$deviance / 2),
        sprintf("%.17g %.17g", fit$estimate, errors), "\n")
  }
}
