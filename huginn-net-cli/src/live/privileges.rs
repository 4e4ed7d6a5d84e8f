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

    /// A user to go on as, with its first group only.
    pub(in super::super) struct User {
        name: String,
        uid: Uid,
        gid: Gid,
    }

    impl User {
        /// Looks a user up by its name or number.
        pub(in super::super) fn find(name: &str) -> io::Result<Self> {
            let found = match name.parse().ok().map(Uid::from_raw) {
                Some(number) => unistd::User::from_uid(number)?,
                None => unistd::User::from_name(name)?,
            };
            let unistd::User { uid, gid, .. } =
                found.ok_or_else(|| io::Error::other(format!("there is no user {name:?}")))?;
            Ok(Self { name: name.to_owned(), uid, gid })
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

    #[test]
    fn what_was_given_up_is_told() {
        let kept = Kept { user: Some((65_534, 65_533)), sandbox: Some(Sandbox::NoLandlock) };
        let text = "user 65534, group 65533, no capabilities; this kernel has no Landlock";
        assert_eq!(kept.to_string(), text);
        assert_eq!(Kept::default().to_string(), "same user, no sandbox");
    }
}
