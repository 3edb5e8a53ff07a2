import { accounts } from './001-accounts.ts'
import { spaces } from './002-spaces.ts'
import { tables } from './003-tables.ts'
import { jobs } from './004-jobs.ts'
import { attachments } from './005-attachments.ts'
import { conversions } from './006-conversions.ts'
import { parkedJobs } from './007-parked-jobs.ts'
import { invitations } from './008-invitations.ts'
import { viewSettings } from './009-view-settings.ts'
import { rowOrders } from './010-row-orders.ts'
import { blobs } from './011-blobs.ts'
import { imports } from './012-imports.ts'
import { viewShares } from './013-view-shares.ts'
import { history } from './014-history.ts'
import { trashEntries } from './015-trash-entries.ts'
import { thumbnails } from './016-thumbnails.ts'
import { tableIndexes } from './017-table-indexes.ts'
import { undo } from './018-undo.ts'
import { plansLoginsWorkflows } from './019-plans-logins-workflows.ts'
import { plugins } from './020-plugins.ts'
import { boards } from './021-boards.ts'
import { pluginGrants } from './022-plugin-grants.ts'
import { searchIndex } from './023-search-index.ts'
import { searchChoice } from './024-search-choice.ts'
import { pluginGrantEnds } from './025-plugin-grant-ends.ts'
import { comments } from './026-comments.ts'
import { identities } from './027-identities.ts'
import { accountEnds } from './028-account-ends.ts'
import { signIns } from './029-sign-ins.ts'
import { invitationLinks } from './030-invitation-links.ts'
import { oauth } from './031-oauth.ts'
import { pinsAndVisits } from './032-pins-and-visits.ts'
import { avatars } from './033-avatars.ts'
import { keptValues } from './034-kept-values.ts'
import { verifiedAddresses } from './035-verified-addresses.ts'
import { tableRebuilds } from './036-table-rebuilds.ts'
import type { Migration } from './migration.ts'

/** All migrations, oldest first. The number of one is its place here, from 1. */
export const migrations: readonly Migration[] = [
  accounts,
  spaces,
  tables,
  jobs,
  attachments,
  conversions,
  parkedJobs,
  invitations,
  viewSettings,
  rowOrders,
  blobs,
  imports,
  viewShares,
  history,
  trashEntries,
  thumbnails,
  tableIndexes,
  undo,
  plansLoginsWorkflows,
  plugins,
  boards,
  pluginGrants,
  searchIndex,
  searchChoice,
  pluginGrantEnds,
  comments,
  identities,
  accountEnds,
  signIns,
  invitationLinks,
  oauth,
  pinsAndVisits,
  avatars,
  keptValues,
  verifiedAddresses,
  tableRebuilds,
]
