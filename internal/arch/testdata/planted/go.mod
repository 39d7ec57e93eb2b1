module planted.example

go 1.26
