/** The product's own tables, as the query builder sees them. Moments are ISO 8601 text, lists JSON text. */
export interface Database {
  migrations: MigrationRow
  migration_texts: MigrationTextRow
  instance: InstanceRow
  users: UserRow
  sessions: SessionRow
  access_tokens: AccessTokenRow
  attempts: AttemptRow
  sign_up_codes: SignUpCodeRow
  invitations: InvitationRow
  invite_codes: InviteCodeRow
  answers: AnswerRow
  jobs: JobRow
  calculations: CalculationRow
  conversions: ConversionRow
  written_cells: WrittenCellRow
  attachments: AttachmentRow
  spaces: SpaceRow
  bases: BaseRow
  collaborators: CollaboratorRow
  nodes: NodeRow
  folders: FolderRow
  dashboards: NamedResourceRow
  workflows: NamedResourceRow
  tables: TableRow
  fields: FieldRow
  retired_columns: RetiredColumnRow
  views: ViewRow
}

/** Truth values come back as 0 and 1 from an engine without a type for them: read with Boolean(). */
export type Flag = boolean | number

/** The columns that a deletion marks; all null in a living row. */
export interface DeletionColumns {
  deletion_id: string | null
  deleted_time: string | null
  deleted_by: string | null
}

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

export interface UserRow {
  id: string
  name: string
  email: string
  password_hash: string | null
  is_admin: Flag
  avatar: string | null
  phone: string | null
  lang: string | null
  notify_by_email: Flag
  ref_meta: string | null
  created_time: string
  version: number
}

export interface SessionRow {
  id: string
  user_id: string
  token_hash: string
  address: string | null
  user_agent: string | null
  created_time: string
  expires_time: string
}

export interface AccessTokenRow {
  id: string
  user_id: string
  name: string
  description: string | null
  scopes: string
  space_ids: string | null
  base_ids: string | null
  has_full_access: Flag
  token_hash: string
  expires_time: string
  created_time: string
  last_used_time: string | null
  version: number
}

export interface AttemptRow {
  subject: string
  tries: number
  expires_time: string
}

export interface SignUpCodeRow {
  token_hash: string
  email: string
  code_hash: string
  tries_left: number
  expires_time: string
}

export interface InvitationRow {
  token_hash: string
  id: string
  resource_type: string
  resource_id: string
  email: string
  role: string
  created_by: string
  created_time: string
  expires_time: string
}

export interface InviteCodeRow {
  id: string
  code_hash: string
  uses_left: number
  created_by: string
  created_time: string
}

export interface JobRow {
  id: string
  kind: string
  due_time: string
  failures: number
  claim: string | null
  lease_until_time: string | null
  /** Null for none. */
  attempts: number | null
  parked_time: string | null
  parked_reason: string | null
}

export interface CalculationRow {
  field_id: string
  table_id: string
  after_number: number
  until_number: number
}

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

export interface AttachmentRow {
  token: string
  space_id: string
  path: string
  size: number
  mimetype: string
  width: number | null
  height: number | null
  created_by: string
  created_time: string
}

export interface AnswerRow {
  key_hash: string
  input_hash: string
  sealed_answer: string
  expires_time: string
}

export interface SpaceRow extends DeletionColumns {
  id: string
  name: string
  created_by: string
  created_time: string
  version: number
}

export interface BaseRow extends DeletionColumns {
  id: string
  space_id: string
  name: string
  icon: string | null
  position: number
  created_by: string
  created_time: string
  last_modified_time: string
  version: number
}

export interface CollaboratorRow {
  resource_type: string
  resource_id: string
  user_id: string
  role: string
  created_by: string
  created_time: string
}

export interface NodeRow extends DeletionColumns {
  id: string
  base_id: string
  parent_id: string | null
  resource_type: string
  resource_id: string
  position: number
  version: number
}

export interface FolderRow {
  id: string
  base_id: string
  name: string
}

export interface NamedResourceRow extends DeletionColumns {
  id: string
  base_id: string
  name: string
  created_by: string
  created_time: string
  version: number
}

export interface TableRow extends DeletionColumns {
  id: string
  base_id: string
  name: string
  db_table_name: string
  description: string | null
  icon: string | null
  schema_tag: string
  created_by: string
  created_time: string
  last_modified_time: string
  version: number
}

export interface FieldRow extends DeletionColumns {
  id: string
  table_id: string
  name: string
  type: string
  description: string | null
  options: string
  is_primary: Flag
  is_unique: Flag
  not_null: Flag
  is_lookup: Flag
  lookup_options: string | null
  result: string | null
  has_error: Flag
  is_pending: Flag
  /** The table that the field reads from, through a link or as one. */
  foreign_table_id: string | null
  ai_config: string | null
  db_field_name: string
  column_name: string | null
  position: number
  created_by: string
  created_time: string
  version: number
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

export interface ViewRow extends DeletionColumns {
  id: string
  table_id: string
  name: string
  type: string
  description: string | null
  position: number
  options: string
  column_meta: string
  created_by: string
  created_time: string
  last_modified_by: string | null
  last_modified_time: string | null
  version: number
}
