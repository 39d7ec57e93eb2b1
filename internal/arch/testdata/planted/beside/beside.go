// Package beside lives on mid's floor.
package beside
