//! Facts about the running server, one module a subject.

#[test] fn t(){}
