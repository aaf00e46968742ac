//! Tables and indexes of applications, grants and tokens of OAuth, and of the subjects of providers of identities.

use super::life::{HasLife, InDownload, InTime, Life, WithAccount, WithContact, WithList, WithMove};
use super::of;
use crate::model::{OauthClient, OauthGrant, OauthProof, OauthToken, ProviderSubject};
use crate::store::{Entity, Index, Key};

impl Entity for OauthClient {
    const TABLE: &'static str = "oauth_client";
    const INDEXES: &'static [&'static Index<OauthClient>] = &[&OAUTH_CLIENT_BY_CLIENT_ID];

    fn id(&self) -> u64 {
        self.id.0
    }

    fn scope(&self) -> u64 {
        // It belongs to the whole server.
        0
    }
}

impl HasLife for OauthClient {
    const LIFE: Life<OauthClient> = Life {
        with_account: WithAccount::Stays("applications belong to the whole server"),
        with_contact: WithContact::NamesNone,
        with_list: WithList::NamesNone,
        with_move: WithMove::Stays(
            "it belongs to the whole server; those that are asked for go along beside it",
        ),
        in_time: InTime::Kept,
        in_download: InDownload::NotOfAPerson,
    };
}

/// The application of the identifier in a request; applications belong to the whole server.
pub static OAUTH_CLIENT_BY_CLIENT_ID: Index<OauthClient> =
    Index::unique("oauth_client.by_client_id", |client| vec![Key::new().text(&client.client_id)]);

impl Entity for OauthGrant {
    const TABLE: &'static str = "oauth_grant";
    const INDEXES: &'static [&'static Index<OauthGrant>] = &[
        &OAUTH_GRANT_BY_CODE,
        &OAUTH_GRANT_BY_FAMILY,
        &OAUTH_GRANT_BY_ADMIN,
        &OAUTH_GRANT_BY_CLIENT,
        &OAUTH_GRANT_BY_DUE,
    ];

    fn id(&self) -> u64 {
        self.id.0
    }

    fn scope(&self) -> u64 {
        // No API response shows it.
        0
    }
}

impl HasLife for OauthGrant {
    const LIFE: Life<OauthGrant> = Life {
        with_account: WithAccount::InSteps(&[&OAUTH_GRANT_BY_ADMIN]),
        with_contact: WithContact::NamesNone,
        with_list: WithList::NamesNone,
        with_move: WithMove::Goes,
        in_time: InTime::ByUpkeep("what people allowed applications"),
        in_download: InDownload::Not("it is about people who administer, and the file is of members"),
    };
}

/// The grant of a code. A request brings nothing but the code, so its hash is the whole key.
pub static OAUTH_GRANT_BY_CODE: Index<OauthGrant> =
    Index::unique("oauth_grant.by_code", |grant| vec![Key::new().bytes(&grant.code.hash)]);

/// The grant of a refresh token, by the half of it that stays.
pub static OAUTH_GRANT_BY_FAMILY: Index<OauthGrant> = Index::unique("oauth_grant.by_family", |grant| {
    grant.refresh.iter().map(|refresh| Key::new().bytes(&refresh.family_hash)).collect()
});

/// The grants of an administrator; those of an account are one range.
pub static OAUTH_GRANT_BY_ADMIN: Index<OauthGrant> =
    Index::multi("oauth_grant.by_admin", |grant| vec![of(grant.account).u64(grant.admin.0)]);

/// The grants of an application, for deleting them with it; read by the server itself.
pub static OAUTH_GRANT_BY_CLIENT: Index<OauthGrant> =
    Index::multi("oauth_grant.by_client", |grant| vec![Key::new().u64(grant.client.0)]);

/// Grants that end, the earliest first; read by the server itself.
pub static OAUTH_GRANT_BY_DUE: Index<OauthGrant> =
    Index::multi("oauth_grant.by_due", |grant| vec![Key::new().u64(grant.due().key())]);

impl Entity for OauthProof {
    const TABLE: &'static str = "oauth_proof";
    const INDEXES: &'static [&'static Index<OauthProof>] = &[&OAUTH_PROOF_BY_ACCOUNT];

    fn id(&self) -> u64 {
        self.grant.0
    }

    fn scope(&self) -> u64 {
        // It begins and ends with its grant, before any token of it is known.
        self.account.0
    }
}

impl HasLife for OauthProof {
    const LIFE: Life<OauthProof> = Life {
        with_account: WithAccount::InSteps(&[&OAUTH_PROOF_BY_ACCOUNT]),
        with_contact: WithContact::NamesNone,
        with_list: WithList::NamesNone,
        with_move: WithMove::Goes,
        in_time: InTime::ByUpkeep("what people allowed applications"),
        in_download: InDownload::Not("it is about people who administer, and the file is of members"),
    };
}

/// The proofs of an account, for deleting them with the account.
pub static OAUTH_PROOF_BY_ACCOUNT: Index<OauthProof> =
    Index::multi("oauth_proof.by_account", |proof| vec![of(proof.account)]);

impl Entity for OauthToken {
    const TABLE: &'static str = "oauth_token";
    const INDEXES: &'static [&'static Index<OauthToken>] =
        &[&OAUTH_TOKEN_BY_HASH, &OAUTH_TOKEN_BY_GRANT, &OAUTH_TOKEN_BY_DUE];

    fn id(&self) -> u64 {
        self.id.0
    }

    fn scope(&self) -> u64 {
        // A token that ended must not be answered from what was kept in memory.
        self.account.0
    }
}

impl HasLife for OauthToken {
    const LIFE: Life<OauthToken> = Life {
        with_account: WithAccount::InSteps(&[&OAUTH_TOKEN_BY_GRANT]),
        with_contact: WithContact::NamesNone,
        with_list: WithList::NamesNone,
        with_move: WithMove::Goes,
        in_time: InTime::Forgotten("access tokens of applications", &OAUTH_TOKEN_BY_DUE),
        in_download: InDownload::Not("it is about people who administer, and the file is of members"),
    };
}

/// The access token of a request, which brings nothing else.
pub static OAUTH_TOKEN_BY_HASH: Index<OauthToken> =
    Index::unique("oauth_token.by_hash", |token| vec![Key::new().bytes(&token.hash)]);

/// The access tokens of a grant, oldest first.
pub static OAUTH_TOKEN_BY_GRANT: Index<OauthToken> =
    Index::multi("oauth_token.by_grant", |token| vec![of(token.account).u64(token.grant.0)]);

/// Access tokens that end, the earliest first; read by the server itself.
pub static OAUTH_TOKEN_BY_DUE: Index<OauthToken> =
    Index::multi("oauth_token.by_due", |token| vec![Key::new().u64(token.expiry.key())]);

impl Entity for ProviderSubject {
    const TABLE: &'static str = "provider_subject";
    const INDEXES: &'static [&'static Index<ProviderSubject>] =
        &[&PROVIDER_SUBJECT_BY_SUBJECT, &PROVIDER_SUBJECT_BY_ADMIN];

    fn id(&self) -> u64 {
        self.id.0
    }

    fn scope(&self) -> u64 {
        // No API response shows it.
        0
    }
}

impl HasLife for ProviderSubject {
    const LIFE: Life<ProviderSubject> = Life {
        with_account: WithAccount::InSteps(&[&PROVIDER_SUBJECT_BY_ADMIN]),
        with_contact: WithContact::NamesNone,
        with_list: WithList::NamesNone,
        with_move: WithMove::Goes,
        in_time: InTime::Kept,
        in_download: InDownload::Not("it is about people who administer, and the file is of members"),
    };
}

/// The administrator of an account whom a provider knows by a subject; one person may administer several accounts.
pub static PROVIDER_SUBJECT_BY_SUBJECT: Index<ProviderSubject> =
    Index::unique("provider_subject.by_subject", |known| {
        vec![of(known.account).text(&known.issuer).text(&known.subject)]
    });

/// The subjects of an administrator.
pub static PROVIDER_SUBJECT_BY_ADMIN: Index<ProviderSubject> =
    Index::multi("provider_subject.by_admin", |known| vec![of(known.account).u64(known.admin.0)]);
