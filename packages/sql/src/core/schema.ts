import type { AccessTokenRow } from '../access-tokens/access-token-table.ts'
import type { AddressCodeRow } from '../accounts/address-code-table.ts'
import type { AvatarRow } from '../accounts/avatar-table.ts'
import type { InviteCodeRow } from '../accounts/invite-code-table.ts'
import type { SessionRow } from '../accounts/session-table.ts'
import type { UserRow } from '../accounts/user-table.ts'
import type { AttachmentRow, BlobRow, UploadSlotRow } from '../attachments/attachment-table.ts'
import type { ThumbnailRow } from '../attachments/thumbnail-table.ts'
import type { BaseRow } from '../bases/base-table.ts'
import type { CalculationRow } from '../calculations/calculation-table.ts'
import type { CollaboratorRow, FormerRoleRow } from '../collaborators/collaborator-table.ts'
import type { InvitationLinkRow } from '../collaborators/invitation-link-table.ts'
import type { InvitationRow } from '../collaborators/invitation-table.ts'
import type { CommentRow } from '../comments/comment-table.ts'
import type { DashboardRow } from '../dashboards/dashboard-table.ts'
import type { AnswerRow } from '../idempotency/answer-table.ts'
import type { IdentityRow } from '../identities/identity-table.ts'
import type { ImportPieceRow, ImportRow } from '../imports/import-table.ts'
import type { TableIndexRow } from '../indexes/table-index-table.ts'
import type { JobRow } from '../jobs/job-table.ts'
import type { LoginProviderRow } from '../login-providers/login-provider-table.ts'
import type { OAuthClientRow, OAuthGrantRow } from '../oauth/oauth-tables.ts'
import type { LastVisitRow, PinRow } from '../pins/pin-tables.ts'
import type { PluginGrantRow } from '../plugin-grants/plugin-grant-table.ts'
import type { PluginInstallRow } from '../plugin-installs/plugin-install-table.ts'
import type { PluginPanelRow } from '../plugin-panels/plugin-panel-table.ts'
import type { PluginRow } from '../plugins/plugin-table.ts'
import type { FieldRow } from '../schemas/field-table.ts'
import type { TableRebuildRow } from '../schemas/table-rebuild-table.ts'
import type { TableRow } from '../schemas/table-table.ts'
import type {
  SearchChangeRow,
  SearchHeadRow,
  SearchSegmentRow,
} from '../signatures/signature-tables.ts'
import type { SpaceRow } from '../spaces/space-table.ts'
import type { TrashEntryRow } from '../trash/trash-entry-table.ts'
import type { FolderRow } from '../tree/folder-table.ts'
import type { NodeRow } from '../tree/node-table.ts'
import type { KeptPartRow, KeptValueRow } from '../undo/kept-value-table.ts'
import type { UndoCommandRow } from '../undo/undo-command-table.ts'
import type { ViewShareRow } from '../views/view-share-table.ts'
import type { ViewRow } from '../views/view-table.ts'
import type { WorkflowRow } from '../workflows/workflow-table.ts'
import type { Flag } from './own-tables/column-codecs.ts'

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
export interface HistoryTableRow {
  table_id: string
  base_id: string
  /** When it is looked through for what is too old. */
  trim_time: string
}

/** A migration that has run; its number is its place in the list of them, from 1. */
export interface MigrationRow {
  number: number
  name: string
}

/** The statements of a migration as they were when it ran. */
export interface MigrationTextRow {
  number: number
  text: string
}

/** Settings of the instance that it made itself, by name. */
export interface InstanceRow {
  name: string
  value: string
}

/** How often somebody has tried something, or called, until the count ends. */
export interface AttemptRow {
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
export interface WrittenCellRow {
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
