//! What a capture needs no more once it is open: being root, capabilities, and access to files and the network.

use core::fmt;
use std::io;

#[cfg(target_os = "linux")]
pub(super) use self::linux::User;

/// What is left of the privileges of the process; displays as a list of what was given up.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Kept {
    /// The user and group that this goes on as, if they were changed.
    user: Option<(u32, u32)>,
    /// Whether capabilities and access to files were given up; `None` if that was not asked for.
    sandbox: Option<Sandbox>,
}

/// How much of the sandbox this kernel has.
#[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "other systems have no sandbox"))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sandbox {
    /// Capabilities, and access to files and the network (Landlock), as far as this command knows of.
    Full,
    /// Capabilities, and what of Landlock this kernel has.
    Partial,
    /// Capabilities alone: the kernel has no Landlock.
    NoLandlock,
}

impl fmt::Display for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.user {
            Some((user, group)) => write!(f, "user {user}, group {group}, ")?,
            None => f.write_str("same user, ")?,
        }
        f.write_str(match self.sandbox {
            Some(Sandbox::Full) => "no capabilities, no access to files and network (Landlock)",
            Some(Sandbox::Partial) => "no capabilities, no access to files (Landlock, in part)",
            Some(Sandbox::NoLandlock) => "no capabilities; this kernel has no Landlock",
            None => "no sandbox",
        })
    }
}

/// Goes on as this user, if there is one, and gives up everything else if `sandbox` says so. For the whole process,
/// as long as it has one thread.
#[cfg(target_os = "linux")]
pub(super) fn give_up(user: Option<&User>, sandbox: bool) -> io::Result<Kept> {
    if sandbox {
        linux::clear_bounding_set()?;
    }
    let user = user.map(User::become_it).transpose()?;
    let sandbox = if sandbox { Some(linux::enter_sandbox()?) } else { None };
    Ok(Kept { user, sandbox })
}

/// There is no sandbox on this system.
#[cfg(not(target_os = "linux"))]
pub(super) fn give_up(user: Option<&User>, _: bool) -> io::Result<Kept> {
    match user {
        Some(&user) => match user {},
        None => Ok(Kept::default()),
    }
}

/// A user to go on as: there is none on this system.
#[cfg(not(target_os = "linux"))]
#[derive(Clone, Copy)]
pub(super) enum User {}

#[cfg(not(target_os = "linux"))]
impl User {
    /// Says that this cannot be done.
    pub(super) fn find(_: &str) -> io::Result<Self> {
        Err(io::Error::other("changing the user is there on Linux only"))
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use std::io;

    use landlock::{
        ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, Ruleset, RulesetAttr, RulesetCreated,
        RulesetStatus, Scope,
    };
    use nix::unistd::{self, Gid, Uid, getresgid, getresuid, setgroups, setresgid, setresuid};
    use rustix::io::Errno;
    use rustix::thread::{
        CapabilitySet, CapabilitySets, clear_ambient_capability_set, remove_capability_from_bounding_set,
        set_capabilities, set_no_new_privs,
    };

    use super::Sandbox;

    /// Sees to it that no program started from here could have a capability.
    pub(super) fn clear_bounding_set() -> io::Result<()> {
        for number in 0..u64::BITS {
            match remove_capability_from_bounding_set(CapabilitySet::from_bits_retain(1 << number)) {
                // One that this kernel does not know.
                Ok(()) | Err(Errno::INVAL) => {}
                // Without CAP_SETPCAP the set stays as it is, and no_new_privs keeps it from having an effect.
                Err(Errno::PERM) => break,
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    /// A user to go on as, with one group only.
    pub(in super::super) struct User {
        name: String,
        uid: Uid,
        gid: Gid,
    }

    impl User {
        /// Looks up `USER` or `USER:GROUP`, each of them a name or a number. A number that is told with its group needs
        /// no entry in the lists of users and groups; without a group, it is the first one of the user.
        pub(in super::super) fn find(name: &str) -> io::Result<Self> {
            let (user, group) =
                name.split_once(':').map_or((name, None), |(user, group)| (user, Some(group)));
            let number = number_of(user)?;
            let found = match number {
                Some(number) => unistd::User::from_uid(number.into())?,
                None => unistd::User::from_name(user)?,
            };
            let uid = found.as_ref().map(|found| found.uid).or_else(|| Some(number?.into()));
            let gid = match group {
                Some(group) => Some(find_group(group)?),
                None => found.map(|found| found.gid),
            };
            match (uid, gid) {
                (Some(uid), Some(gid)) => Ok(Self { name: name.to_owned(), uid, gid }),
                (Some(_), None) => Err(io::Error::other(format!(
                    "there is no user {user}; the number of none takes a group, as in {user}:GROUP"
                ))),
                (None, _) => Err(io::Error::other(format!("there is no user {user:?}"))),
            }
        }

        /// Goes on as this user; gives its number and that of its group.
        pub(super) fn become_it(&self) -> io::Result<(u32, u32)> {
            let Self { ref name, uid, gid } = *self;
            let refused = |what: &str, error: nix::Error| {
                io::Error::other(format!("{what} of {name:?}: {}", error.desc().to_lowercase()))
            };
            setgroups(&[gid]).map_err(|error| refused("groups", error))?;
            setresgid(gid, gid, gid).map_err(|error| refused("group", error))?;
            setresuid(uid, uid, uid).map_err(|error| refused("user", error))?;
            let (users, groups) = (getresuid()?, getresgid()?);
            let is_gone = [users.real, users.effective, users.saved] == [uid; 3]
                && [groups.real, groups.effective, groups.saved] == [gid; 3];
            if !is_gone {
                return Err(io::Error::other("the system did not change the user"));
            }
            Ok((uid.as_raw(), gid.as_raw()))
        }
    }

    fn find_group(group: &str) -> io::Result<Gid> {
        if let Some(number) = number_of(group)? {
            return Ok(number.into());
        }
        let found = unistd::Group::from_name(group)?;
        found.map(|found| found.gid).ok_or_else(|| io::Error::other(format!("there is no group {group:?}")))
    }

    /// The number, if it is one. The greatest is that of nobody: to the system it means to change nothing.
    fn number_of(name: &str) -> io::Result<Option<u32>> {
        match name.parse() {
            Ok(u32::MAX) => Err(io::Error::other(format!("{name} is the number of no user and no group"))),
            number => Ok(number.ok()),
        }
    }

    /// Gives up all capabilities, and with Landlock all access by name to files and the network. What is open stays
    /// usable: outputs, which are thereby the only files that can be written, and the sockets.
    pub(super) fn enter_sandbox() -> io::Result<Sandbox> {
        match clear_ambient_capability_set() {
            // Linux before 4.3 has none.
            Ok(()) | Err(Errno::INVAL) => {}
            Err(error) => return Err(error.into()),
        }
        let none = CapabilitySet::empty();
        set_capabilities(None, CapabilitySets { effective: none, permitted: none, inheritable: none })?;
        set_no_new_privs(true)?;

        let newest = ABI::V6;
        let ruleset = Ruleset::default()
            .set_compatibility(CompatLevel::BestEffort)
            .handle_access(AccessFs::from_all(newest))
            .and_then(|ruleset| ruleset.handle_access(AccessNet::from_all(newest)))
            .and_then(|ruleset| ruleset.scope(Scope::from_all(newest)))
            .and_then(Ruleset::create);
        // No rule: nothing is allowed.
        let status = ruleset.and_then(RulesetCreated::restrict_self).map_err(io::Error::other)?;
        Ok(match status.ruleset {
            RulesetStatus::FullyEnforced => Sandbox::Full,
            RulesetStatus::PartiallyEnforced => Sandbox::Partial,
            RulesetStatus::NotEnforced => Sandbox::NoLandlock,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn a_user_that_does_not_exist_is_not_found() {
        for name in ["no-such-user", "4294967294", ""] {
            let found = User::find(name).err();
            assert!(found.is_some_and(|error| error.to_string().contains("no user")), "{name}");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_number_without_a_user_takes_a_group() {
        for name in ["4294967294:4294967293", "0:4294967294", "root:0", "4294967294:root"] {
            assert!(User::find(name).is_ok(), "{name}");
        }
        for (name, told) in [
            (
                "4294967294",
                "there is no user 4294967294; the number of none takes a group, as in 4294967294:GROUP",
            ),
            ("4294967294:", "there is no group \"\""),
            ("4294967294:no-such-group", "there is no group \"no-such-group\""),
            ("no-such-user:0", "there is no user \"no-such-user\""),
            (":0", "there is no user \"\""),
            ("-1:0", "there is no user \"-1\""),
            ("0:4294967295", "4294967295 is the number of no user and no group"),
            ("4294967295:0", "4294967295 is the number of no user and no group"),
        ] {
            assert_eq!(
                User::find(name).err().map(|error| error.to_string()).as_deref(),
                Some(told),
                "{name}"
            );
        }
    }

    #[test]
    fn what_was_given_up_is_told() {
        let kept = Kept { user: Some((65_534, 65_533)), sandbox: Some(Sandbox::NoLandlock) };
        let text = "user 65534, group 65533, no capabilities; this kernel has no Landlock";
        assert_eq!(kept.to_string(), text);
        assert_eq!(Kept::default().to_string(), "same user, no sandbox");
    }
}
