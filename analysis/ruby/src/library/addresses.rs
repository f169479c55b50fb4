//! `IPAddr`: parsing, ranges and conversion of IP addresses.

use std::net::{Ipv4Addr, Ipv6Addr};
use std::rc::Rc;

use super::super::interpreter::Interpreter;
use super::super::methods::{ADDRESS, MethodInvocation, MethodRow, row};
use super::super::value::{IpAddress, Object, Range, Ruby, raise_as, unsupported};
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

impl IpAddress {
    fn bits(self) -> u32 {
        if self.is_version_6 { 128 } else { 32 }
    }

    /// Returns a mask of the bits after the prefix.
    fn rest(self) -> u128 {
        let free = self.bits() - self.prefix;
        if free == 128 { u128::MAX } else { (1u128 << free) - 1 }
    }

    fn last(self) -> u128 {
        self.number | self.rest()
    }

    fn network(self, prefix: u32) -> IpAddress {
        let network = IpAddress { prefix, ..self };
        IpAddress { number: network.number & !network.rest(), ..network }
    }

    pub(in super::super) fn text(self) -> String {
        if self.is_version_6 {
            version_6_text(self.number)
        } else {
            Ipv4Addr::from(self.number as u32).to_string()
        }
    }
}

/// Formats an IPv6 address as Ruby does.
fn version_6_text(number: u128) -> String {
    Ipv6Addr::from(number).to_string()
}

/// Parses the argument of `IPAddr.new`. Returns the class of Ruby's error for an invalid address, and `None`
/// if the result is uncertain.
fn read(text: &str) -> Result<Option<IpAddress>, &'static str> {
    if text.contains('%') && text.contains(':') {
        return Ok(None);
    }
    let (written, prefix) = match text.split_once('/') {
        Some((written, prefix)) => (written, Some(prefix)),
        None => (text, None),
    };
    let in_brackets = written.strip_prefix('[').and_then(|inside| inside.strip_suffix(']'));
    let written = match in_brackets {
        Some(inside) if inside.contains(':') => inside,
        _ => written,
    };
    let (is_version_6, number) = if let Ok(address) = written.parse::<Ipv4Addr>() {
        (false, u128::from(u32::from(address)))
    } else if let Ok(address) = written.parse::<Ipv6Addr>() {
        // The notation of embedded IPv4 addresses differs between versions.
        if written.contains('.') || address.segments()[..5] == [0; 5] && address.segments()[6] != 0 {
            return Ok(None);
        }
        (true, u128::from(address))
    } else {
        return Err("IPAddr::InvalidAddressError");
    };
    let whole = IpAddress { is_version_6, number, prefix: if is_version_6 { 128 } else { 32 } };
    let Some(prefix) = prefix else { return Ok(Some(whole)) };
    if prefix.is_empty() {
        return Err("IPAddr::InvalidAddressError");
    }
    match prefix.parse::<u32>() {
        Ok(bits) if prefix.bytes().all(|byte| byte.is_ascii_digit()) => {
            if bits <= whole.bits() {
                Ok(Some(whole.network(bits)))
            } else {
                Err("IPAddr::InvalidPrefixError")
            }
        }
        _ => match prefix.parse::<Ipv4Addr>() {
            Ok(mask)
                if !is_version_6
                    && u32::from(mask).leading_ones() == 32 - u32::from(mask).trailing_zeros().min(32) =>
            {
                Ok(Some(whole.network(u32::from(mask).leading_ones())))
            }
            _ => Ok(None),
        },
    }
}
