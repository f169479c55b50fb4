//! Tests of the reference pages.
mod pages;
