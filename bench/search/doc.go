// Package search compares the text index with the full-text table of SQLite: the same documents, the same
// questions, the same run. SQLite looks for every word, as the usual query does; the index leaves out those that say nothing.
// It is a module of its own, so that SQLite never enters the product's.
package search
