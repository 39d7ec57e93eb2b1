module nested.example

go 1.26
