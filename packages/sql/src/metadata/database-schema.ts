import type { Flag } from './column-codecs.ts'
import type { AccessTokenRow } from './tables/access-token-table.ts'
import type { AddressCodeRow } from './tables/address-code-table.ts'
import type { AnswerRow } from './tables/answer-table.ts'
import type { AttachmentRow, BlobRow, UploadSlotRow } from './tables/attachment-table.ts'
import type { AvatarRow } from './tables/avatar-table.ts'
import type { BaseRow } from './tables/base-table.ts'
import type { CalculationRow } from './tables/calculation-table.ts'
import type { CollaboratorRow, FormerRoleRow } from './tables/collaborator-table.ts'
import type { CommentRow } from './tables/comment-table.ts'
import type { DashboardRow } from './tables/dashboard-table.ts'
import type { FieldRow } from './tables/field-table.ts'
import type { FolderRow } from './tables/folder-table.ts'
import type { IdentityRow } from './tables/identity-table.ts'
import type { ImportPieceRow, ImportRow } from './tables/import-table.ts'
import type { InvitationLinkRow } from './tables/invitation-link-table.ts'
import type { InvitationRow } from './tables/invitation-table.ts'
import type { InviteCodeRow } from './tables/invite-code-table.ts'
import type { JobRow } from './tables/job-table.ts'
import type { KeptPartRow, KeptValueRow } from './tables/kept-value-table.ts'
import type { LoginProviderRow } from './tables/login-provider-table.ts'
import type { NodeRow } from './tables/node-table.ts'
import type { OAuthClientRow, OAuthGrantRow } from './tables/oauth-tables.ts'
import type { LastVisitRow, PinRow } from './tables/pin-tables.ts'
import type { PluginGrantRow } from './tables/plugin-grant-table.ts'
import type { PluginInstallRow } from './tables/plugin-install-table.ts'
import type { PluginPanelRow } from './tables/plugin-panel-table.ts'
import type { PluginRow } from './tables/plugin-table.ts'
import type { SessionRow } from './tables/session-table.ts'
import type { SearchChangeRow, SearchHeadRow, SearchSegmentRow } from './tables/signature-tables.ts'
import type { SpaceRow } from './tables/space-table.ts'
import type { TableIndexRow } from './tables/table-index-table.ts'
import type { TableRebuildRow } from './tables/table-rebuild-table.ts'
import type { TableRow } from './tables/table-table.ts'
import type { ThumbnailRow } from './tables/thumbnail-table.ts'
import type { TrashEntryRow } from './tables/trash-entry-table.ts'
import type { UndoCommandRow } from './tables/undo-command-table.ts'
import type { UserRow } from './tables/user-table.ts'
import type { ViewShareRow } from './tables/view-share-table.ts'
import type { ViewRow } from './tables/view-table.ts'
import type { WorkflowRow } from './tables/workflow-table.ts'

/**
 * The product's own tables, as the query builder sees them. Moments are ISO 8601 text, lists JSON text. What
 * keeps an entity is defined by its columns, beside its repository; the rest is here.
 */
export interface Database {
  migrations: MigrationRow
  migration_texts: MigrationTextRow
  instance: InstanceRow
  users: UserRow
  sessions: SessionRow
  access_tokens: AccessTokenRow
  attempts: AttemptRow
  sign_up_codes: AddressCodeRow
  invitations: InvitationRow
  invitation_links: InvitationLinkRow
  pins: PinRow
  last_visits: LastVisitRow
  invite_codes: InviteCodeRow
  answers: AnswerRow
  jobs: JobRow
  history_tables: HistoryTableRow
  imports: ImportRow
  import_pieces: ImportPieceRow
  calculations: CalculationRow
  conversions: ConversionRow
  written_cells: WrittenCellRow
  attachments: AttachmentRow
  blobs: BlobRow
  upload_slots: UploadSlotRow
  thumbnails: ThumbnailRow
  avatars: AvatarRow
  spaces: SpaceRow
  login_providers: LoginProviderRow
  identities: IdentityRow
  plugins: PluginRow
  plugin_installs: PluginInstallRow
  plugin_panels: PluginPanelRow
  plugin_grants: PluginGrantRow
  oauth_clients: OAuthClientRow
  oauth_grants: OAuthGrantRow
  bases: BaseRow
  collaborators: CollaboratorRow
  former_roles: FormerRoleRow
  comments: CommentRow
  nodes: NodeRow
  folders: FolderRow
  dashboards: DashboardRow
  workflows: WorkflowRow
  tables: TableRow
  fields: FieldRow
  retired_columns: RetiredColumnRow
  table_rebuilds: TableRebuildRow
  undo_commands: UndoCommandRow
  kept_values: KeptValueRow
  kept_parts: KeptPartRow
  views: ViewRow
  view_shares: ViewShareRow
  trash_entries: TrashEntryRow
  table_indexes: TableIndexRow
  search_heads: SearchHeadRow
  search_segments: SearchSegmentRow
  search_changes: SearchChangeRow
}

/** A table whose history there is a place for. */
interface HistoryTableRow {
  table_id: string
  base_id: string
  /** When it is looked through for what is too old. */
  trim_time: string
}

/** A migration that has run; its number is its place in the list of them, from 1. */
interface MigrationRow {
  number: number
  name: string
}

/** The statements of a migration as they were when it ran. */
interface MigrationTextRow {
  number: number
  text: string
}

/** Settings of the instance that it made itself, by name. */
interface InstanceRow {
  name: string
  value: string
}

/** How often somebody has tried something, or called, until the count ends. */
interface AttemptRow {
  subject: string
  tries: number
  expires_time: string
}

/** A field whose values are being converted in the background. */
export interface ConversionRow {
  field_id: string
  table_id: string
  /** The field as it was, and who converted it, as JSON. */
  source: string
}

/** A cell that was written while its field was being converted. */
interface WrittenCellRow {
  field_id: string
  record_number: number
}

/** A column of a user table that no field has any more. */
export interface RetiredColumnRow {
  table_id: string
  name: string
  type: string
  /** Records up to this number have no value in it. */
  emptied_number: number
  /** Whether no record has one. */
  is_empty: Flag
}
