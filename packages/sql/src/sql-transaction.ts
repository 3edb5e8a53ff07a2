import type { DomainEvent } from '@gateleg/domain/events/event'
import type { LongWork, WriteTx } from '@gateleg/domain/store'
import { SqlAccessTokenRepository } from './access-tokens/sql-access-token-repository.ts'
import { ProfilesRead } from './accounts/profiles-read.ts'
import { SqlAddressCodeRepository } from './accounts/sql-address-code-repository.ts'
import { SqlAttemptRepository } from './accounts/sql-attempt-repository.ts'
import { SqlAvatarRepository } from './accounts/sql-avatar-repository.ts'
import { SqlInviteCodeRepository } from './accounts/sql-invite-code-repository.ts'
import { SqlSessionRepository } from './accounts/sql-session-repository.ts'
import { SqlUserRepository } from './accounts/sql-user-repository.ts'
import { SqlAttachmentRepository } from './attachments/sql-attachment-repository.ts'
import { SqlFileUseRepository } from './attachments/sql-file-use-repository.ts'
import { SqlThumbnailRepository } from './attachments/sql-thumbnail-repository.ts'
import { SqlBaseRepository } from './bases/sql-base-repository.ts'
import { SqlCanonicalReader } from './bases/sql-canonical-reader.ts'
import { SqlUsageReader } from './billing/sql-usage-reader.ts'
import { SqlCalculationRepository } from './calculations/sql-calculation-repository.ts'
import { SqlChartFinder } from './charts/sql-chart-finder.ts'
import { SqlAccessRepository } from './collaborators/sql-access-repository.ts'
import { SqlCollaboratorRepository } from './collaborators/sql-collaborator-repository.ts'
import { SqlInvitationLinkRepository } from './collaborators/sql-invitation-link-repository.ts'
import { SqlInvitationRepository } from './collaborators/sql-invitation-repository.ts'
import { SqlCommentRepository } from './comments/sql-comment-repository.ts'
import type { SqlConnection } from './core/connection.ts'
import type { SqlDialect } from './core/dialect/sql-dialect.ts'
import { madeWhenAsked } from './core/made-when-asked.ts'
import { SqlSession } from './core/session.ts'
import type { TransactionTime } from './core/transaction-time.ts'
import { SqlDashboardRepository } from './dashboards/sql-dashboard-repository.ts'
import { SqlHistoryRepository } from './history/sql-history-repository.ts'
import { SqlAnswerRepository } from './idempotency/sql-answer-repository.ts'
import { SqlIdentityRepository } from './identities/sql-identity-repository.ts'
import { SqlImportRepository } from './imports/sql-import-repository.ts'
import type { IndexDemands } from './index-demand/index-demand.ts'
import { SqlTableIndexRepository } from './indexes/sql-table-index-repository.ts'
import { SqlJobRepository } from './jobs/sql-job-repository.ts'
import { SqlLinkRepository } from './links/sql-link-repository.ts'
import { SqlLoginProviderRepository } from './login-providers/sql-login-provider-repository.ts'
import { SqlOAuthClientRepository } from './oauth/sql-oauth-client-repository.ts'
import { SqlOAuthGrantRepository } from './oauth/sql-oauth-grant-repository.ts'
import { SqlLastVisitRepository } from './pins/sql-last-visit-repository.ts'
import { SqlPinRepository } from './pins/sql-pin-repository.ts'
import { SqlSeenResourceReader } from './pins/sql-seen-resource-reader.ts'
import { SqlPluginGrantRepository } from './plugin-grants/sql-plugin-grant-repository.ts'
import { SqlPluginInstallRepository } from './plugin-installs/sql-plugin-install-repository.ts'
import { SqlPluginPanelRepository } from './plugin-panels/sql-plugin-panel-repository.ts'
import { SqlPluginRepository } from './plugins/sql-plugin-repository.ts'
import type { Schemas } from './record-tables/schema-cache.ts'
import { SqlRecordFinder } from './records/query/sql-record-finder.ts'
import { SqlColumnRepository } from './records/sql-column-repository.ts'
import { SqlRecordReader } from './records/sql-record-reader.ts'
import { SqlRecordScanner } from './records/sql-record-scanner.ts'
import { SqlRecordSizeReader } from './records/sql-record-size-reader.ts'
import { SqlRecordWriter } from './records/sql-record-writer.ts'
import { SqlDiagramFieldReader } from './schemas/sql-diagram-field-reader.ts'
import { SqlFieldRepository } from './schemas/sql-field-repository.ts'
import { SqlTableRebuildRepository } from './schemas/sql-table-rebuild-repository.ts'
import { SqlTableRepository } from './schemas/sql-table-repository.ts'
import { SqlSearchSignatureRepository } from './signatures/sql-search-signature-repository.ts'
import { SqlSpaceRepository } from './spaces/sql-space-repository.ts'
import { SqlPurgeRepository } from './tables/sql-purge-repository.ts'
import { SqlTrashRepository } from './trash/sql-trash-repository.ts'
import { SqlFolderRepository } from './tree/sql-folder-repository.ts'
import { SqlNameFinder } from './tree/sql-name-finder.ts'
import { SqlNodeRepository } from './tree/sql-node-repository.ts'
import { SqlKeptValueRepository } from './undo/sql-kept-value-repository.ts'
import { SqlUndoRepository } from './undo/sql-undo-repository.ts'
import { SqlRowOrderRepository } from './views/sql-row-order-repository.ts'
import { SqlViewRepository } from './views/sql-view-repository.ts'
import { SqlViewShareRepository } from './views/sql-view-share-repository.ts'
import { SqlWorkflowRepository } from './workflows/sql-workflow-repository.ts'

/** What repositories are made of. */
interface Parts {
  readonly session: SqlSession
  readonly schemas: Schemas
  readonly demand: IndexDemands
  readonly profiles: ProfilesRead
}

/** How each repository is made for a transaction. */
const Repositories = madeWhenAsked<Parts>()({
  access: ({ session, profiles }) => new SqlAccessRepository(session, profiles),
  answers: ({ session }) => new SqlAnswerRepository(session),
  searchSignatures: ({ session }) => new SqlSearchSignatureRepository(session),
  addressCodes: ({ session }) => new SqlAddressCodeRepository(session),
  invitations: ({ session }) => new SqlInvitationRepository(session),
  invitationLinks: ({ session }) => new SqlInvitationLinkRepository(session),
  pins: ({ session }) => new SqlPinRepository(session),
  lastVisits: ({ session }) => new SqlLastVisitRepository(session),
  seenResources: ({ session }) => new SqlSeenResourceReader(session),
  nameFinder: ({ session }) => new SqlNameFinder(session),
  inviteCodes: ({ session }) => new SqlInviteCodeRepository(session),
  attempts: ({ session }) => new SqlAttemptRepository(session),
  attachments: ({ session }) => new SqlAttachmentRepository(session),
  avatars: ({ session }) => new SqlAvatarRepository(session),
  thumbnails: ({ session }) => new SqlThumbnailRepository(session),
  fileUses: ({ session }) => new SqlFileUseRepository(session),
  calculations: ({ session }) => new SqlCalculationRepository(session),
  links: ({ session }) => new SqlLinkRepository(session),
  accessTokens: ({ session }) => new SqlAccessTokenRepository(session),
  canonical: ({ session }) => new SqlCanonicalReader(session),
  bases: ({ session }) => new SqlBaseRepository(session),
  dashboards: ({ session }) => new SqlDashboardRepository(session),
  folders: ({ session }) => new SqlFolderRepository(session),
  loginProviders: ({ session }) => new SqlLoginProviderRepository(session),
  nodes: ({ session }) => new SqlNodeRepository(session),
  workflows: ({ session }) => new SqlWorkflowRepository(session),
  plugins: ({ session }) => new SqlPluginRepository(session),
  pluginGrants: ({ session }) => new SqlPluginGrantRepository(session),
  oauthClients: ({ session }) => new SqlOAuthClientRepository(session),
  oauthGrants: ({ session }) => new SqlOAuthGrantRepository(session),
  pluginInstalls: ({ session }) => new SqlPluginInstallRepository(session),
  pluginPanels: ({ session }) => new SqlPluginPanelRepository(session),
  collaborators: ({ session }) => new SqlCollaboratorRepository(session),
  comments: ({ session }) => new SqlCommentRepository(session),
  sessions: ({ session }) => new SqlSessionRepository(session),
  spaces: ({ session }) => new SqlSpaceRepository(session),
  diagramFields: ({ session }) => new SqlDiagramFieldReader(session),
  fields: ({ session, schemas }) => new SqlFieldRepository(session, schemas),
  history: ({ session, schemas }) => new SqlHistoryRepository(session, schemas),
  identities: ({ session }) => new SqlIdentityRepository(session),
  imports: ({ session }) => new SqlImportRepository(session),
  jobs: ({ session }) => new SqlJobRepository(session),
  purge: ({ session }) => new SqlPurgeRepository(session),
  records: ({ session, schemas }) => new SqlRecordReader(session, schemas),
  chartFinder: ({ session }) => new SqlChartFinder(session),
  recordFinder: ({ session, demand }) => new SqlRecordFinder(session, demand),
  recordScanner: ({ session, schemas }) => new SqlRecordScanner(session, schemas),
  recordWriter: ({ session }) => new SqlRecordWriter(session),
  columns: ({ session }) => new SqlColumnRepository(session),
  recordSizes: ({ session }) => new SqlRecordSizeReader(session),
  rowOrders: ({ session }) => new SqlRowOrderRepository(session),
  trash: ({ session }) => new SqlTrashRepository(session),
  tableIndexes: ({ session, demand }) => new SqlTableIndexRepository(session, demand),
  tables: ({ session }) => new SqlTableRepository(session),
  tableRebuilds: ({ session }) => new SqlTableRebuildRepository(session),
  undo: ({ session }) => new SqlUndoRepository(session),
  keptValues: ({ session }) => new SqlKeptValueRepository(session),
  views: ({ session }) => new SqlViewRepository(session),
  viewShares: ({ session }) => new SqlViewShareRepository(session),
  usage: ({ session }) => new SqlUsageReader(session),
  users: ({ session, profiles }) => new SqlUserRepository(session, profiles),
})

/**
 * The repositories of one SQL transaction. A snapshot is the same object seen through `ReadTx`, which
 * has no way to write.
 */
export class SqlTransaction extends Repositories implements WriteTx {
  /** What was noted so far, in order. */
  readonly events: DomainEvent[] = []
  readonly #connection: SqlConnection
  readonly #session: SqlSession
  readonly #atEnd: ((isKept: boolean) => void)[] = []

  constructor(parts: Parts) {
    super(parts)
    this.#session = parts.session
    this.#connection = parts.session.connection
  }

  giveWay(): Promise<void> {
    return this.#session.giveWay()
  }

  get mayAskAhead(): boolean {
    return this.#connection.mayReadAhead === true
  }

  becomeLong(how?: LongWork): void {
    this.#connection.becomeLong?.(how)
  }

  mayDoMore(): boolean {
    return this.#connection.mayDoMore?.() ?? false
  }

  emit(event: DomainEvent): void {
    this.events.push(event)
  }

  askOnceHeld(ask: () => Promise<void>): Promise<void> {
    return this.#session.askOnceHeld(ask)
  }

  onEnd(work: (isKept: boolean) => void): void {
    this.#atEnd.push(work)
  }

  /** Does what waited for the end of the transaction. */
  end(isKept: boolean): void {
    for (const work of this.#atEnd.splice(0)) work(isKept)
  }
}

/** Makes the repositories of a transaction on a connection, with what all transactions of a storage share. */
export function transactionOn(
  connection: SqlConnection,
  dialect: SqlDialect,
  shared: Pick<Parts, 'schemas' | 'demand'>,
  time: TransactionTime,
): SqlTransaction {
  const session = new SqlSession(connection, dialect, time)
  return new SqlTransaction({ session, ...shared, profiles: new ProfilesRead() })
}
