use data_encoding::BASE32;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::go;

/// The hash that the controllers store in `status.sha`: SHA-256 over Go's compact JSON, in padded base32 (pluralsh/console,
/// go/controller, internal/utils; the result reproduced from the project's own test of 2025).
pub fn hash(value: &Value) -> String {
    hash_of_text(&go::json(value))
}

fn hash_of_text(text: &str) -> String {
    BASE32.encode(&Sha256::digest(text.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// console.md section 2.4.
    #[test]
    fn the_hashes_of_the_documentation_come_out() {
        for (value, expected) in [
            (json!({"name": "test"}), "PWP5EBI7YMVTF7VLCCKG7K3LXEKCNK36HGVFIOJIT3MJFBSKVEOQ===="),
            (
                json!({"name": "alpha", "reconciliation": {"driftDetection": true, "interval": "30m"}}),
                "B5H6N3H2GVYTAQMTUEJXVD4WMYGSWSXVXHJMRFS4C5GWOZWFMIQQ====",
            ),
            (
                json!({"name": "alpha", "description": "a < b & c"}),
                "4DOF3P6V2XRXR5RSJ4PVOYFIXYI4MGQT4F6DK5ZIMMABBVAQEKZQ====",
            ),
            (
                json!({"url": "https://git.example.test/team/app.git"}),
                "7EMUVQDR3RGU2SMDDDPJKC3733FK27UPKEVRZGOZ4LLSXFNZTWXQ====",
            ),
            (json!({"url": "https://test"}), "NIDONAJF4QLR3LFF2JF6EAWMZ3CE53R4OZNEWGAXYZSNPO5UHVSA===="),
        ] {
            assert_eq!(hash(&value), expected, "{value}");
        }
    }
}
