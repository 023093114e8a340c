/* What index.js has assigned: the index of the site, and what a query is read by. */

const INDEX = DANESH, ANALYSIS = INDEX.analysis, WEIGHTS = ANALYSIS.weights;
