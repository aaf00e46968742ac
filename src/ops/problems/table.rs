//! Makes the enum of problems from its table: the variants with their facts, their English, and their texts in every
//! language. A row that lacks one of the three does not compile.

/// Makes an enum of the rows `Variant { fact: Type } = "key", "English";`, in which the English names the facts in
/// braces, and the text of the key in `src/locale/texts/problems.*.ftl` takes the same facts by name. The rows of `of`
/// are problems that lower layers have types for.
macro_rules! wrongs {
    (
        $(#[$doc:meta])*
        $name:ident {
            $(
                $variant:ident $({ $($fact:ident : $type:ty),+ })? = $key:literal, $english:literal;
            )+
        }
        of {
            $( $(#[$of_doc:meta])* $of:ident($of_type:ty); )+
        }
    ) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub enum $name {
            $(
                #[doc = concat!("`", $english, "`")]
                $variant $({ $(
                    #[doc = concat!("The fact `", stringify!($fact), "` of the sentence.")]
                    $fact: $type
                ),+ })?,
            )+
            $( $(#[$of_doc])* $of($of_type), )+
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                match self {
                    $( $name::$variant $({ $($fact),+ })? => write!(out, $english), )+
                    $( $name::$of(problem) => write!(out, "{problem}"), )+
                }
            }
        }

        impl Said for $name {
            fn say(&self, language: Language) -> String {
                match self {
                    $(
                        $name::$variant $({ $($fact),+ })? =>
                            text!(language, $key $(, $($fact = Fact::value($fact, language)),+)?),
                    )+
                    $( $name::$of(problem) => problem.say(language), )+
                }
            }

            #[cfg(test)]
            fn samples() -> Vec<$name> {
                let mut samples = vec![$( $name::$variant $({ $($fact: <$type as Fact>::sample()),+ })? ),+];
                $( samples.extend(<$of_type as Said>::samples().into_iter().map($name::$of)); )+
                samples
            }
        }

        impl $name {
            /// Appends the problem as records keep it, and behind it those that it is about.
            fn keep_into(&self, parts: &mut Vec<KeptPart>) {
                let mut rest = Vec::new();
                let (name, facts) = match self {
                    $(
                        $name::$variant $({ $($fact),+ })? =>
                            (stringify!($variant), vec![$($(Kept::keep($fact, &mut rest)),+)?]),
                    )+
                    $( $name::$of(problem) => (stringify!($of), vec![Kept::keep(problem, &mut rest)]), )+
                };
                parts.push(KeptPart { name: name.to_owned(), facts });
                parts.append(&mut rest);
            }

            /// The problem of the next part; `None` if this version knows none of its name with these facts.
            fn restored_from(parts: &mut Parts<'_>) -> Option<$name> {
                let KeptPart { name, facts } = parts.next()?;
                let mut facts = facts.iter();
                $(
                    if name == stringify!($variant) {
                        return Some($name::$variant $({ $($fact: Kept::restored(facts.next()?, parts)?),+ })?);
                    }
                )+
                $(
                    if name == stringify!($of) {
                        return Some($name::$of(Kept::restored(facts.next()?, parts)?));
                    }
                )+
                None
            }
        }

        $(
            impl From<$of_type> for $name {
                fn from(problem: $of_type) -> $name {
                    $name::$of(problem)
                }
            }
        )+
    };
}
pub(super) use wrongs;
