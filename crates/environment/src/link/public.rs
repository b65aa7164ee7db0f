//! Which addresses are of the public network, and no way into ours.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Networks of version 4 that are not public: (first address, bits of the prefix).
const SPECIAL_4: [([u8; 4], u32); 15] = [
    ([0, 0, 0, 0], 8),       // this network (RFC 791)
    ([10, 0, 0, 0], 8),      // private (RFC 1918)
    ([100, 64, 0, 0], 10),   // shared behind carriers' translators (RFC 6598)
    ([127, 0, 0, 0], 8),     // loopback (RFC 1122)
    ([169, 254, 0, 0], 16),  // link-local (RFC 3927), where clouds tell machines their secrets
    ([172, 16, 0, 0], 12),   // private (RFC 1918)
    ([192, 0, 0, 0], 24),    // protocols' own (RFC 6890)
    ([192, 0, 2, 0], 24),    // documentation (RFC 5737)
    ([192, 88, 99, 0], 24),  // relays of 6to4 (RFC 7526)
    ([192, 168, 0, 0], 16),  // private (RFC 1918)
    ([198, 18, 0, 0], 15),   // benchmarks (RFC 2544)
    ([198, 51, 100, 0], 24), // documentation (RFC 5737)
    ([203, 0, 113, 0], 24),  // documentation (RFC 5737)
    ([224, 0, 0, 0], 4),     // multicast (RFC 5771)
    ([240, 0, 0, 0], 4),     // reserved (RFC 1112) and broadcast (RFC 919)
];

/// Networks of version 6 within 2000::/3, the only part that is given out (RFC 4291), that are not public. The forms that hold an
/// address of version 4 lead wherever that leads, by whom nobody knows: none of them is taken.
const SPECIAL_6: [([u16; 3], u32); 5] = [
    ([0x2001, 0, 0], 23), // protocols' own (RFC 2928): Teredo (RFC 4380), benchmarks (RFC 5180), ORCHID (RFC 7343)
    ([0x2001, 0xdb8, 0], 32), // documentation (RFC 3849)
    ([0x2002, 0, 0], 16), // 6to4 (RFC 3056)
    ([0x3fff, 0, 0], 20), // documentation (RFC 9637)
    ([0x3ffe, 0, 0], 16), // the former test network (RFC 3701)
];

/// Whether an address is one of a single machine somewhere in the public network.
pub(super) fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => !SPECIAL_4
            .iter()
            .any(|(first, bits)| (u32::from(address) ^ u32::from(Ipv4Addr::from(*first))) >> (32 - bits) == 0),
        IpAddr::V6(address) => {
            let within = |first: [u16; 3], bits: u32| {
                let first = Ipv6Addr::new(first[0], first[1], first[2], 0, 0, 0, 0, 0);
                (u128::from(address) ^ u128::from(first)) >> (128 - bits) == 0
            };
            // Outside lie ::, ::1, mapped and compatible addresses (RFC 4291), translated ones (64:ff9b::/96 of RFC 6052,
            // 64:ff9b:1::/48 of RFC 8215), discard-only (RFC 6666), unique-local (RFC 4193), link-local, site-local, multicast.
            within([0x2000, 0, 0], 3) && !SPECIAL_6.iter().any(|(first, bits)| within(*first, *bits))
        }
    }
}

#[cfg(test)]
mod attacks {
    use super::*;

    #[test]
    fn no_special_address_is_public() {
        let special = [
            "0.0.0.0 0.255.255.255",                                 // RFC 791
            "10.0.0.0 10.1.2.3 10.255.255.255",                      // RFC 1918
            "100.64.0.0 100.100.100.200 100.127.255.255",            // RFC 6598
            "127.0.0.1 127.0.0.53 127.255.255.255",                  // RFC 1122
            "169.254.0.1 169.254.169.254 169.254.255.255",           // RFC 3927
            "172.16.0.0 172.17.0.1 172.31.255.255",                  // RFC 1918
            "192.0.0.1 192.0.0.170 192.0.0.192",                     // RFC 6890
            "192.0.2.1 198.51.100.7 203.0.113.255",                  // RFC 5737
            "192.88.99.1",                                           // RFC 7526
            "192.168.0.1 192.168.255.255",                           // RFC 1918
            "198.18.0.0 198.19.255.255",                             // RFC 2544
            "224.0.0.1 239.255.255.255",                             // RFC 5771
            "240.0.0.1 255.255.255.254 255.255.255.255",             // RFC 1112, RFC 919
            ":: ::1",                                                // RFC 4291
            "::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:93.184.215.14", // RFC 4291, mapped
            "::127.0.0.1 ::93.184.215.14",                           // RFC 4291, compatible
            "::ffff:0:10.0.0.1",                                     // RFC 2765, translated
            "64:ff9b::127.0.0.1 64:ff9b::a9fe:a9fe",                 // RFC 6052
            "64:ff9b:1::10.0.0.1",                                   // RFC 8215
            "100::1",                                                // RFC 6666
            "2001::1 2001:0:5ef5:79fd::1",                           // RFC 4380
            "2001:2::1 2001:10::1 2001:20::1 2001:1ff:ffff::1",      // RFC 5180, RFC 4843, RFC 7343, RFC 2928
            "2001:db8::1 3fff::1 3fff:fff::1",                       // RFC 3849, RFC 9637
            "2002:7f00:1::1 2002:a9fe:a9fe::1",                      // RFC 3056
            "3ffe::1",                                               // RFC 3701
            "5f00::1",                                               // RFC 9602
            "fc00::1 fd00:ec2::254 fdff::1",                         // RFC 4193
            "fe80::1 febf::1",                                       // RFC 4291, link-local
            "fec0::1",                                               // RFC 3879
            "ff02::1 ff0e::1",                                       // RFC 4291, multicast
        ];
        for address in special.iter().flat_map(|line| line.split(' ')) {
            assert!(!is_public(address.parse().unwrap()), "{address}");
        }
    }

    #[test]
    fn their_neighbours_are() {
        let public = "1.0.0.0 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 169.253.255.255 \
                      169.255.0.0 172.15.255.255 172.32.0.0 192.0.1.0 192.0.3.0 192.167.255.255 192.169.0.0 198.17.255.255 \
                      198.20.0.0 223.255.255.255 2001:200::1 2001:4860:4860::8888 2001:db9::1 2003::1 2606:4700::1111 3fff:1000::1";
        for address in public.split_whitespace() {
            assert!(is_public(address.parse().unwrap()), "{address}");
        }
    }
}
