//! IP addresses and networks of Ruby's `IPAddr`.

use std::net::{Ipv4Addr, Ipv6Addr};

/// IP address or network: the number, and the length of its prefix in bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IpAddress {
    pub is_version_6: bool,
    pub number: u128,
    pub prefix: u32,
}

impl IpAddress {
    /// Returns the number of bits of an address.
    pub fn bits(self) -> u32 {
        if self.is_version_6 { 128 } else { 32 }
    }

    /// Returns a mask of the bits after the prefix.
    fn rest(self) -> u128 {
        let free = self.bits() - self.prefix;
        if free == 128 { u128::MAX } else { (1u128 << free) - 1 }
    }

    /// Returns the number of the last address of the network.
    pub fn last(self) -> u128 {
        self.number | self.rest()
    }

    /// Returns the network with this prefix that contains the address.
    pub fn network(self, prefix: u32) -> IpAddress {
        let network = IpAddress { prefix, ..self };
        IpAddress { number: network.number & !network.rest(), ..network }
    }

    /// Returns the address without its prefix, as Ruby writes it.
    pub fn text(self) -> String {
        if self.is_version_6 {
            Ipv6Addr::from(self.number).to_string()
        } else {
            Ipv4Addr::from(self.number as u32).to_string()
        }
    }
}

/// Parses the argument of `IPAddr.new`; returns `None` if the result is uncertain.
///
/// # Errors
/// The class of Ruby's error for an invalid address.
pub fn read(text: &str) -> Result<Option<IpAddress>, &'static str> {
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
