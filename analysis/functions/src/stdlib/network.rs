//! Network addresses and host names.

use std::net::{Ipv4Addr, Ipv6Addr};

use eval::{BuiltInFunction, Call, Outcome};
use types::{Type, Value};

use crate::legacy::legacy;
use crate::legacy::variables::{VisibleVariable, variable};
use crate::support::{function, known};

pub(super) const TABLE: &[BuiltInFunction] = &[
    legacy(
        "enclose_ipv6",
        "Encloses IPv6 addresses in brackets, keeps others, and removes duplicates.",
        &[known("(Variant[String, Array] $addresses) >> Array[String]", enclose_ipv6)],
    ),
    legacy(
        "has_interface_with",
        "Returns true if the machine has a network interface of that name, or one with that value of a fact.",
        &[
            known("(Any $name) >> Boolean", has_interface_with),
            known("(Any $kind, Any $value) >> Boolean", has_interface_with),
        ],
    ),
    legacy(
        "has_ip_address",
        "Returns true if an interface of the machine has the address.",
        &[known("(Any $address) >> Boolean", has_ip_address)],
    ),
    legacy(
        "has_ip_network",
        "Returns true if an interface of the machine is in the network.",
        &[known("(Any $network) >> Boolean", has_ip_network)],
    ),
    function(
        "stdlib::ip_in_range",
        "Returns true if an address is in a network, or in one of several.",
        &[known("(String $ipaddress, Variant[String, Array] $range) >> Boolean", ip_in_range)],
    ),
];

/// IP address with its network mask.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Address {
    pub(super) is_version_6: bool,
    bits: u128,
    mask: u128,
}

impl Address {
    /// Parses `1.2.3.4`, `::1`, `[::1]`, `10.0.0.0/8`, `10.0.0.0/255.0.0.0`, `fe80::1%eth0`. Returns `None`
    /// for anything else.
    pub(super) fn parse(text: &str) -> Option<Address> {
        let (address, prefix) = match text.split_once('/') {
            Some((address, prefix)) => (address, Some(prefix)),
            None => (text, None),
        };
        let bracketed = address.strip_prefix('[').and_then(|address| address.strip_suffix(']'));
        let version_4 = bracketed.is_none().then(|| address.parse::<Ipv4Addr>().ok()).flatten();
        let parsed = match version_4 {
            Some(address) => {
                Address { is_version_6: false, bits: u32::from(address).into(), mask: u32::MAX.into() }
            }
            None => {
                let address = bracketed.unwrap_or(address);
                let (address, zone) = address.split_once('%').unwrap_or((address, "0"));
                let is_zone =
                    !zone.is_empty() && zone.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
                let address: Ipv6Addr = address.parse().ok().filter(|_| is_zone)?;
                Address { is_version_6: true, bits: address.into(), mask: u128::MAX }
            }
        };
        match prefix {
            Some(prefix) => parsed.masked(prefix),
            None => Some(parsed),
        }
    }

    fn masked(self, prefix: &str) -> Option<Address> {
        let (width, all) = if self.is_version_6 { (128, u128::MAX) } else { (32, u32::MAX.into()) };
        let is_number = !prefix.is_empty() && prefix.bytes().all(|byte| byte.is_ascii_digit());
        let mask = if is_number {
            let length: u32 = prefix.parse().ok().filter(|length| *length <= width)?;
            if prefix.len() > 1 && prefix.starts_with('0') {
                return None;
            }
            all & all.checked_shl(width - length).unwrap_or(0)
        } else {
            let mask = Address::parse(prefix).filter(|mask| mask.is_version_6 == self.is_version_6)?;
            let rest = mask.bits ^ mask.mask;
            if rest.wrapping_add(1) & rest != 0 {
                return None;
            }
            mask.bits
        };
        Some(Address { bits: self.bits & mask, mask, ..self })
    }

    fn contains(self, other: Address) -> bool {
        let last = |address: Address| {
            let all = if address.is_version_6 { u128::MAX } else { u32::MAX.into() };
            address.bits | (all ^ address.mask)
        };
        self.is_version_6 == other.is_version_6
            && self.bits & self.mask <= other.bits & other.mask
            && last(self) >= last(other)
    }

    /// Formats the address as Ruby does: the first of the longest runs of zeros is omitted.
    fn text(self) -> String {
        if !self.is_version_6 {
            return Ipv4Addr::from(self.bits as u32).to_string();
        }
        let parts: Vec<u16> = (0..8).rev().map(|index| (self.bits >> (16 * index)) as u16).collect();
        let (mut start, mut length) = (0, 0);
        for at in 0..8 {
            let zeros = parts[at..].iter().take_while(|part| **part == 0).count();
            if zeros > length {
                (start, length) = (at, zeros);
            }
        }
        let joined =
            |parts: &[u16]| parts.iter().map(|part| format!("{part:x}")).collect::<Vec<_>>().join(":");
        if length < 2 {
            return joined(&parts);
        }
        let (before, after) = (&parts[..start], &parts[start + length..]);
        let dotted =
            |high: u16, low: u16| format!("{}.{}.{}.{}", high >> 8, high & 0xff, low >> 8, low & 0xff);
        match (before, after) {
            ([], [0xffff, high, low]) => format!("::ffff:{}", dotted(*high, *low)),
            ([], [high, low]) => format!("::{}", dotted(*high, *low)),
            (before, after) => format!("{}::{}", joined(before), joined(after)),
        }
    }
}

fn enclose_ipv6(call: &mut Call) -> Outcome {
    let mut enclosed: Vec<Value> = Vec::new();
    for value in conversions::ruby::flatten(std::slice::from_ref(call.argument(0))) {
        let value = match &value {
            Value::Undef => continue,
            Value::String(text) if text == "*" => value,
            Value::String(text) => match Address::parse(text) {
                Some(address) if address.is_version_6 => {
                    let zone = text
                        .split(['/', ']'])
                        .next()
                        .and_then(|it| it.trim_start_matches('[').find('%').map(|at| &it[at..]));
                    Value::string(format!("[{}{}]", address.text(), zone.unwrap_or_default()))
                }
                Some(_) => value,
                None => return Err(call.refuse(format!("`{text}` is not an IP address"))),
            },
            _ => return Err(call.refuse("expected IP addresses for `enclose_ipv6()`")),
        };
        if !enclosed.contains(&value) {
            enclosed.push(value);
        }
    }
    Ok(Value::array(enclosed))
}

fn has_interface_with(call: &mut Call) -> Outcome {
    if call.has(1) {
        let kind = conversions::ruby::to_s(call.argument(0), call.env()).unwrap_or_default();
        interface_has(call, &kind, call.argument(1))
    } else {
        let wanted = call.argument(0);
        match interfaces(call) {
            Interfaces::Named(names) => {
                Ok(Value::Boolean(names.iter().any(|name| wanted.as_str() == Some(name))))
            }
            other => Ok(other.without_names()),
        }
    }
}

fn has_ip_address(call: &mut Call) -> Outcome {
    interface_has(call, "ipaddress", call.argument(0))
}

fn has_ip_network(call: &mut Call) -> Outcome {
    interface_has(call, "network", call.argument(0))
}

enum Interfaces {
    Named(Vec<String>),
    None,
    Unknown(types::Origin),
}

impl Interfaces {
    fn without_names(&self) -> Value {
        match self {
            Interfaces::Unknown(origin) => Value::unknown(Type::BOOLEAN, *origin),
            _ => Value::Boolean(false),
        }
    }
}

fn interfaces(call: &Call) -> Interfaces {
    match variable(call, "interfaces") {
        VisibleVariable::Value(Value::String(text)) => {
            let names: Vec<String> = text.split(',').map(str::to_owned).collect();
            let used = names.iter().rposition(|name| !name.is_empty()).map_or(0, |last| last + 1);
            Interfaces::Named(names.into_iter().take(used).collect())
        }
        VisibleVariable::Value(Value::Undef) | VisibleVariable::Unset => Interfaces::None,
        VisibleVariable::Value(_) => Interfaces::Unknown(types::Origin::Fact),
        VisibleVariable::Unknown(origin) => Interfaces::Unknown(origin),
    }
}

fn interface_has(call: &Call, kind: &str, wanted: &Value) -> Outcome {
    let names = match interfaces(call) {
        Interfaces::Named(names) => names,
        other => return Ok(other.without_names()),
    };
    let keeps_case = super::support::is_stdlib_before(call, "4.4.0");
    let name_in_facts = |name: &String| if keeps_case { name.clone() } else { name.to_lowercase() };
    let facts = std::iter::once(kind.to_owned())
        .chain(names.iter().map(|name| format!("{kind}_{}", name_in_facts(name))));
    let mut origin = None;
    for name in facts {
        match variable(call, &name) {
            VisibleVariable::Value(Value::Unknown(unknown)) => origin = Some(unknown.origin),
            VisibleVariable::Value(value) if value == *wanted => return Ok(Value::Boolean(true)),
            VisibleVariable::Unknown(not_known) => origin = Some(not_known),
            VisibleVariable::Value(_) | VisibleVariable::Unset => {}
        }
    }
    Ok(match origin {
        Some(origin) => Value::unknown(Type::BOOLEAN, origin),
        None => Value::Boolean(false),
    })
}

fn ip_in_range(call: &mut Call) -> Outcome {
    let parse = |value: &Value| match value.as_str().and_then(Address::parse) {
        Some(address) => Ok(address),
        None => Err(call.refuse("expected an IP address or network")),
    };
    let address = parse(call.argument(0))?;
    let networks = match call.argument(1) {
        Value::Array(networks) => networks.as_slice(),
        network => std::slice::from_ref(network),
    };
    let networks: Outcome<Vec<Address>> = networks.iter().map(parse).collect();
    Ok(Value::Boolean(networks?.iter().any(|network| network.contains(address))))
}

/// Returns true for a host name: labels of 1 to 63 letters, digits and `-`, with at most 255 characters in
/// total.
pub(super) fn is_domain_name(text: &str) -> bool {
    if text == "." {
        return true;
    }
    let name = text.strip_suffix('.').unwrap_or(text);
    if name.is_empty() || name.chars().count() > 255 {
        return false;
    }
    let ends_in_letters = |name: &str| {
        super::support::lines(name).any(|line| {
            line.rsplit_once('.').is_some_and(|(_, last)| {
                !last.is_empty() && last.bytes().all(|byte| byte.is_ascii_alphabetic())
            })
        })
    };
    if name.contains('.') && !ends_in_letters(name) {
        return false;
    }
    let is_label = |label: &str| {
        (1..=63).contains(&label.chars().count())
            && !label.starts_with('-')
            && !label.ends_with('-')
            && super::support::lines(label).any(|line| {
                !line.is_empty() && line.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
            })
    };
    name.trim_end_matches('.').split('.').all(is_label)
}

/// Returns true for six or twenty bytes in hexadecimal digits.
pub(super) fn is_mac_address(text: &str) -> bool {
    let is_byte =
        |part: &str| (1..=2).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_hexdigit());
    super::support::lines(text).any(|line| {
        let count = line.split(':').count();
        (count == 6 || count == 20) && line.split(':').all(is_byte)
    })
}
