//! Tests of the reference pages.
mod html;
mod pages;
