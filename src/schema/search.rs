//! The tables of the search in archives.

use super::life::{HasLife, InDownload, InTime, Life, WithAccount, WithContact, WithList, WithMove};
use crate::model::{RecentTerms, Segment, SegmentState};
use crate::store::{BlockTable, Entity, Index, Key};

/// The tables of blocks, which are no records; `ops::archive::indexing` checks them.
pub const BLOCK_TABLES: &[&BlockTable] = &[&SEARCH_BLOCKS];

/// The blocks that segments are made of. A key begins with the segment and what the block has: the numbers of messages,
/// the marks of those that are gone, or postings, which continue with the first term and the first message of the block.
pub static SEARCH_BLOCKS: BlockTable = BlockTable::new("search_block");

impl Entity for Segment {
    const TABLE: &'static str = "search_segment";
    const INDEXES: &'static [&'static Index<Segment>] = &[&SEGMENT_BY_LIST, &SEGMENT_UNFINISHED];

    fn id(&self) -> u64 {
        self.id.0
    }

    fn scope(&self) -> u64 {
        self.account.0
    }
}

impl HasLife for Segment {
    const LIFE: Life<Segment> = Life {
        with_account: WithAccount::ByOperation("it goes with its blocks, which are many"),
        with_contact: WithContact::NamesNone,
        with_list: WithList::ByOperation("it is marked as dropped, and search deletes its blocks in steps"),
        with_move: WithMove::Goes,
        in_time: InTime::ByOperation("small ones are merged into larger ones"),
        in_download: InDownload::Not("what people wrote to a list is in its archive"),
    };
}

/// The segments of a list, which a search reads.
pub static SEGMENT_BY_LIST: Index<Segment> = Index::multi("search_segment.by_list", |segment| {
    vec![Key::new().u64(segment.account.0).u64(segment.list.0)]
});

/// Segments that are being made or deleted, those to make first; read by the server itself.
pub static SEGMENT_UNFINISHED: Index<Segment> =
    Index::multi("search_segment.unfinished", |segment| match segment.state {
        SegmentState::Live => Vec::new(),
        SegmentState::Building { .. } => vec![Key::new().u8(0)],
        SegmentState::Dropped => vec![Key::new().u8(1)],
    });

impl Entity for RecentTerms {
    const TABLE: &'static str = "search_recent";
    const INDEXES: &'static [&'static Index<RecentTerms>] = &[&RECENT_TERMS_BY_LIST];

    fn id(&self) -> u64 {
        self.id.0
    }

    fn scope(&self) -> u64 {
        self.account.0
    }
}

impl HasLife for RecentTerms {
    const LIFE: Life<RecentTerms> = Life {
        with_account: WithAccount::InSteps(&[&RECENT_TERMS_BY_LIST]),
        with_contact: WithContact::NamesNone,
        with_list: WithList::ByOperation("they go with their message"),
        with_move: WithMove::Goes,
        in_time: InTime::ByOperation("they become segments"),
        in_download: InDownload::Not("what people wrote to a list is in its archive"),
    };
}

/// The messages of a list that no segment has yet.
pub static RECENT_TERMS_BY_LIST: Index<RecentTerms> =
    Index::multi("search_recent.by_list", |recent| vec![Key::new().u64(recent.account.0).u64(recent.list.0)]);
