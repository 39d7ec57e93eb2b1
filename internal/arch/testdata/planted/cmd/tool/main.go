// Command tool does too much.
package main

func main() { // breaks: startup
	work()
}

func work() {}

func init() {} // breaks: startup
