package util // breaks: names
