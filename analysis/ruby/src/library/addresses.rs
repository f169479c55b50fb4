//! `IPAddr`: parsing, ranges and conversion of IP addresses.

use std::rc::Rc;

use scalars::ip_address::{IpAddress, read};

use super::super::interpreter::Interpreter;
use super::super::methods::{ADDRESS, MethodInvocation, MethodRow, row};
use super::super::value::{Object, Range, Ruby, raise_as, unsupported};
use super::{ModuleRow, of};

pub(super) const MODULE_TABLE: &[ModuleRow] = &[of("IPAddr", "new", 1, 1, |_, it| {
    let Object::Text(_) = it.argument(0) else {
        return raise_as("IPAddr::AddressFamilyError", "unsupported address family");
    };
    let text = it.text_argument(0)?;
    match read(&text) {
        Ok(Some(address)) => Ok(Object::Address(Rc::new(address))),
        Ok(None) => unsupported(),
        Err(class) => raise_as(class, format!("invalid address: {text}")),
    }
})];

pub(in super::super) const TABLE: &[MethodRow] = &[
    row("to_s", ADDRESS, 0, 0, |_, it| Ok(Object::text(address(it)?.text()))),
    row("ipv4?", ADDRESS, 0, 0, |_, it| Ok(Object::Boolean(!address(it)?.is_version_6))),
    row("ipv6?", ADDRESS, 0, 0, |_, it| Ok(Object::Boolean(address(it)?.is_version_6))),
    row("prefix", ADDRESS, 0, 0, |_, it| Ok(Object::Integer(i64::from(address(it)?.prefix)))),
    row("to_i", ADDRESS, 0, 0, |_, it| {
        i64::try_from(address(it)?.number).map_or_else(|_| unsupported(), |it| Ok(Object::Integer(it)))
    }),
    row("mask", ADDRESS, 1, 1, |_, it| {
        let own = address(it)?;
        match it.argument(0) {
            Object::Integer(bits) if (0..=i64::from(own.bits())).contains(bits) => {
                Ok(Object::Address(Rc::new(own.network(*bits as u32))))
            }
            _ => unsupported(),
        }
    }),
    row("to_range", ADDRESS, 0, 0, |_, it| {
        let own = address(it)?;
        let first = Object::Address(Rc::new(IpAddress { prefix: own.bits(), ..*own }));
        let last = IpAddress { number: own.last(), prefix: own.bits(), ..*own };
        Ok(Object::Range(Rc::new(Range { first, last: Object::Address(Rc::new(last)), is_exclusive: false })))
    }),
    row("include?", ADDRESS, 1, 1, includes),
    row("===", ADDRESS, 1, 1, includes),
];

fn address<'i>(it: &'i MethodInvocation<'_>) -> Ruby<&'i IpAddress> {
    match &it.receiver {
        Object::Address(address) => Ok(address),
        _ => unsupported(),
    }
}

fn includes(_: &mut Interpreter<'_>, it: &MethodInvocation<'_>) -> Ruby {
    let own = address(it)?;
    let other = match it.argument(0) {
        Object::Address(other) => **other,
        Object::Text(text) => match read(&text.content.borrow()) {
            Ok(Some(other)) => other,
            Ok(None) => return unsupported(),
            Err(class) => return raise_as(class, "invalid address"),
        },
        _ => return unsupported(),
    };
    if own.is_version_6 != other.is_version_6 {
        return unsupported();
    }
    Ok(Object::Boolean(own.number <= other.number && other.last() <= own.last()))
}
