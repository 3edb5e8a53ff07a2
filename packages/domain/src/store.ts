import type {
  AccessTokenReader,
  AccessTokenRepository,
} from './access-tokens/access-token-repository.ts'
import type { AddressCodeRepository } from './accounts/address-code-repository.ts'
import type { AttemptRepository } from './accounts/attempt-repository.ts'
import type { AvatarReader, AvatarRepository } from './accounts/avatar-repository.ts'
import type { InviteCodeRepository } from './accounts/invite-code-repository.ts'
import type { SessionReader, SessionRepository } from './accounts/session-repository.ts'
import type { UserReader, UserRepository } from './accounts/user-repository.ts'
import type { AttachmentReader, AttachmentRepository } from './attachments/attachment-repository.ts'
import type { FileUseRepository } from './attachments/file-use-repository.ts'
import type { ThumbnailReader, ThumbnailRepository } from './attachments/thumbnail-repository.ts'
import type { BaseReader, BaseRepository } from './bases/base-repository.ts'
import type { CanonicalReader } from './bases/canonical-reader.ts'
import type { UsageReader } from './billing/usage-reader.ts'
import type {
  CalculationReader,
  CalculationRepository,
} from './calculations/calculation-repository.ts'
import type { ChartFinder } from './charts/chart-finder.ts'
import type { AccessRepository } from './collaborators/access-repository.ts'
import type {
  CollaboratorReader,
  CollaboratorRepository,
} from './collaborators/collaborator-repository.ts'
import type {
  InvitationReader,
  InvitationRepository,
} from './collaborators/invitation-repository.ts'
import type { CommentReader, CommentRepository } from './comments/comment-repository.ts'
import type { DashboardReader, DashboardRepository } from './dashboards/dashboard-repository.ts'
import type { DomainEvent } from './events/event.ts'
import type { HistoryReader, HistoryRepository } from './history/history-repository.ts'
import type { AnswerRepository } from './idempotency/answer-repository.ts'
import type { IdentityReader, IdentityRepository } from './identities/identity-repository.ts'
import type { ImportReader, ImportRepository } from './imports/import-repository.ts'
import type { SearchSignatureRepository } from './indexes/search-signature-repository.ts'
import type { TableIndexReader, TableIndexRepository } from './indexes/table-index-repository.ts'
import type {
  InvitationLinkReader,
  InvitationLinkRepository,
} from './invitation-links/invitation-link-repository.ts'
import type { JobRepository, StartingJobRepository } from './jobs/job-repository.ts'
import type { LastVisitReader, LastVisitRepository } from './last-visits/last-visit-repository.ts'
import type { LinkReader, LinkRepository } from './links/link-repository.ts'
import type {
  LoginProviderReader,
  LoginProviderRepository,
} from './login-providers/login-provider-repository.ts'
import type {
  OAuthClientReader,
  OAuthClientRepository,
} from './oauth-clients/oauth-client-repository.ts'
import type {
  OAuthGrantReader,
  OAuthGrantRepository,
} from './oauth-grants/oauth-grant-repository.ts'
import type { PinReader, PinRepository } from './pins/pin-repository.ts'
import type { SeenResourceReader } from './pins/seen-resource-reader.ts'
import type {
  PluginGrantReader,
  PluginGrantRepository,
} from './plugin-grants/plugin-grant-repository.ts'
import type {
  PluginInstallReader,
  PluginInstallRepository,
} from './plugin-installs/plugin-install-repository.ts'
import type {
  PluginPanelReader,
  PluginPanelRepository,
} from './plugin-panels/plugin-panel-repository.ts'
import type { PluginReader, PluginRepository } from './plugins/plugin-repository.ts'
import type { ColumnRepository } from './records/column-repository.ts'
import type { RecordFinder } from './records/query/record-finder.ts'
import type { RecordReader } from './records/record-reader.ts'
import type { RecordScanner } from './records/record-scanner.ts'
import type { RecordSizeReader } from './records/record-size-reader.ts'
import type { RecordWriter } from './records/record-writer.ts'
import type { DiagramFieldReader } from './schemas/diagram-field-reader.ts'
import type { FieldReader, FieldRepository } from './schemas/field-repository.ts'
import type { TableReader, TableRepository } from './schemas/table-repository.ts'
import type { SpaceReader, SpaceRepository } from './spaces/space-repository.ts'
import type { PurgeRepository } from './tables/purge-repository.ts'
import type { TrashReader, TrashRepository } from './trash/trash-repository.ts'
import type { FolderReader, FolderRepository } from './tree/folder-repository.ts'
import type { NameFinder } from './tree/name-finder.ts'
import type { NodeReader, NodeRepository } from './tree/node-repository.ts'
import type { KeptValueRepository } from './undo/kept-value-repository.ts'
import type { UndoRepository } from './undo/undo-repository.ts'
import type { RowOrderReader, RowOrderRepository } from './views/row-order-repository.ts'
import type { ViewReader, ViewRepository } from './views/view-repository.ts'
import type { ViewShareReader, ViewShareRepository } from './views/view-share-repository.ts'
import type { WorkflowReader, WorkflowRepository } from './workflows/workflow-repository.ts'

/** The repositories of one consistent snapshot. Nothing here can change anything. */
export interface ReadTx {
  readonly access: AccessRepository
  readonly canonical: CanonicalReader
  readonly accessTokens: AccessTokenReader
  readonly attachments: AttachmentReader
  readonly thumbnails: ThumbnailReader
  readonly avatars: AvatarReader
  readonly calculations: CalculationReader
  readonly chartFinder: ChartFinder
  readonly history: HistoryReader
  readonly identities: IdentityReader
  readonly imports: ImportReader
  readonly links: LinkReader
  readonly bases: BaseReader
  readonly collaborators: CollaboratorReader
  readonly comments: CommentReader
  readonly invitations: InvitationReader
  readonly invitationLinks: InvitationLinkReader
  readonly pins: PinReader
  readonly lastVisits: LastVisitReader
  readonly seenResources: SeenResourceReader
  readonly nameFinder: NameFinder
  readonly dashboards: DashboardReader
  readonly folders: FolderReader
  readonly loginProviders: LoginProviderReader
  readonly nodes: NodeReader
  readonly plugins: PluginReader
  readonly pluginInstalls: PluginInstallReader
  readonly pluginPanels: PluginPanelReader
  readonly pluginGrants: PluginGrantReader
  readonly oauthClients: OAuthClientReader
  readonly oauthGrants: OAuthGrantReader
  readonly sessions: SessionReader
  readonly users: UserReader
  readonly fields: FieldReader
  readonly diagramFields: DiagramFieldReader
  readonly records: RecordReader
  readonly recordFinder: RecordFinder
  readonly recordScanner: RecordScanner
  readonly recordSizes: RecordSizeReader
  readonly rowOrders: RowOrderReader
  readonly spaces: SpaceReader
  readonly tables: TableReader
  readonly tableIndexes: TableIndexReader
  readonly trash: TrashReader
  readonly usage: UsageReader
  readonly views: ViewReader
  readonly viewShares: ViewShareReader
  readonly workflows: WorkflowReader
  /**
   * Lets other work run when work on this thread has used the processor for about 3 ms; call it in loops that compute.
   * It costs almost nothing before that time. The transaction stays open, and a write transaction keeps its writer.
   * Statements give way by themselves.
   */
  giveWay(): Promise<void>
  /**
   * Whether questions that are asked together are waited for once, so that it saves a wait to ask before it is known that the
   * answer is wanted.
   */
  readonly mayAskAhead: boolean
  /**
   * Announces that the rest of the work reads or changes many records, or may. Where others would have to wait for
   * that, it throws: the work is rolled back and started again where only other long work waits for it. Otherwise it
   * does nothing. Call it after access was checked and before anything is computed, and don't catch its error.
   */
  becomeLong(how?: LongWork): void
}

/** How long work goes on. */
export interface LongWork {
  /**
   * Whether what it does before it changes anything takes a while and reads little: a storage with one writer may have it do
   * that before it is the work's turn to write, and once more where something that was read has changed by then.
   */
  readonly readsFirst?: boolean
}

/** The repositories of one transaction: all of its changes are kept, or none. */
export interface WriteTx extends ReadTx {
  readonly accessTokens: AccessTokenRepository
  readonly attachments: AttachmentRepository
  readonly thumbnails: ThumbnailRepository
  readonly avatars: AvatarRepository
  readonly fileUses: FileUseRepository
  readonly calculations: CalculationRepository
  readonly history: HistoryRepository
  readonly identities: IdentityRepository
  readonly imports: ImportRepository
  readonly links: LinkRepository
  readonly bases: BaseRepository
  readonly collaborators: CollaboratorRepository
  readonly comments: CommentRepository
  readonly dashboards: DashboardRepository
  readonly folders: FolderRepository
  readonly loginProviders: LoginProviderRepository
  readonly nodes: NodeRepository
  readonly plugins: PluginRepository
  readonly pluginInstalls: PluginInstallRepository
  readonly pluginPanels: PluginPanelRepository
  readonly pluginGrants: PluginGrantRepository
  readonly oauthClients: OAuthClientRepository
  readonly oauthGrants: OAuthGrantRepository
  readonly sessions: SessionRepository
  readonly users: UserRepository
  readonly fields: FieldRepository
  readonly recordWriter: RecordWriter
  readonly columns: ColumnRepository
  readonly rowOrders: RowOrderRepository
  readonly spaces: SpaceRepository
  readonly tables: TableRepository
  readonly trash: TrashRepository
  readonly tableIndexes: TableIndexRepository
  readonly searchSignatures: SearchSignatureRepository
  readonly views: ViewRepository
  readonly viewShares: ViewShareRepository
  readonly workflows: WorkflowRepository
  readonly answers: AnswerRepository
  readonly jobs: JobRepository
  readonly purge: PurgeRepository
  readonly undo: UndoRepository
  readonly keptValues: KeptValueRepository
  readonly attempts: AttemptRepository
  readonly invitations: InvitationRepository
  readonly invitationLinks: InvitationLinkRepository
  readonly pins: PinRepository
  readonly lastVisits: LastVisitRepository
  readonly inviteCodes: InviteCodeRepository
  readonly addressCodes: AddressCodeRepository
  /** Publishes an event: listeners get it after the commit, in the order of these calls. */
  emit(event: DomainEvent): void
  /**
   * Has something done once this transaction has ended, and tells it whether the changes are kept; where the work is run again, before
   * that. It must not fail.
   */
  onEnd(work: (isKept: boolean) => void): void
  /**
   * Whether work that could as well be done in the next transaction may be done in this one, which saves a commit:
   * nobody waits for it to end, and it is still short. False where a storage can't know.
   */
  mayDoMore(): boolean
}

/** The caller of a transaction: waiting transactions take turns by caller, so that no caller blocks all others. */
export interface CallerOptions {
  /** As `callerOf` gives it; by default the program itself. */
  readonly caller?: string
}

/** Hints for a storage about a read, before it begins. */
export interface ReadOptions extends CallerOptions {
  /** Whether the work reads many records: a storage may run it where it blocks no others. */
  readonly isLong?: boolean
  /** Whether the read pauses for others in between: a storage may reserve connections for reads that don't. */
  readonly lasts?: boolean
  /**
   * Whether what the work reads may be of several moments, because it asks once or what it asks later vouches for itself, as
   * the tag of a table does for its fields: a storage may leave out the transaction.
   */
  readonly needsNoSnapshot?: boolean
}

/** Hints for a storage about a write, before it begins. */
export interface WriteOptions extends CallerOptions {
  /** Whether the work changes many records: a storage may run it where it blocks only other writers. */
  readonly isLong?: boolean
  /** Whether a storage may commit each statement by itself, for statements that it can't run in a transaction. */
  readonly isStepwise?: boolean
}

/**
 * The only way to the data. Work must wait for nothing except its transaction, including `giveWay` (no network, no
 * timers), because a storage may run the work again after a conflict, and may block other writers meanwhile. Other work
 * runs whenever the work waits, so state that is shared in memory may change.
 */
export interface Store {
  /** Runs the work on one snapshot: it sees either everything or nothing of each other transaction. */
  read<T>(work: (tx: ReadTx) => Promise<T>, options?: ReadOptions): Promise<T>
  /**
   * Runs the work in one transaction and resolves when its changes are durable. When the work throws,
   * nothing of it is kept and the error is thrown on. `service_busy` when too many of the caller wait.
   */
  write<T>(work: (tx: WriteTx) => Promise<T>, options?: WriteOptions): Promise<T>
  /** The same as of a transaction, for work outside of one: all share the turns of the thread. */
  giveWay(): Promise<void>
  /**
   * A number that stands for who may call and what they may do: users, sessions, access tokens, collaborators, spaces, bases and
   * tables. It is another one after each commit that may have changed any of them, before anybody hears that the commit was
   * made. What was read while it stayed the same still holds as long as it does. Undefined where that can't be known: while such a
   * commit is being made, and always where other processes write, too.
   */
  accessState?(): number | undefined
}

/** Transactions that do with jobs alone what the start of an engine takes. */
export interface JobStore {
  /** See `Store`. */
  write<T>(work: (tx: { readonly jobs: StartingJobRepository }) => Promise<T>): Promise<T>
}

/** What a storage needs from outside itself. */
export interface StorageDependencies {
  /** Hears of the events of each committed transaction, in the order of the commits. */
  readonly onCommit: (events: readonly DomainEvent[]) => void
  /** Hears of what is wrong with the storage itself; for the log. Must not throw. */
  readonly onFailure?: (error: unknown) => void
}

/** An open storage. */
export interface OpenStorage {
  readonly store: Store
  /** For the start of an engine, where a storage has these ready before all that other transactions need; else the store has them. */
  readonly jobStore?: JobStore
  /**
   * Whether other processes may serve what is stored at the same time; not, when nothing is said. What callers may do so often is
   * then counted in the storage, else in the memory of the one process.
   */
  readonly isShared?: boolean
  /**
   * The instance key kept in the storage; the candidate is kept when there is none yet. For programs
   * that hold no key of their own: where another one did, the candidate is answered and not kept.
   */
  instanceKey(candidate: string): Promise<string>
  /**
   * What tells the key of the storage from others, without giving it away; the candidate is kept when there
   * is nothing yet.
   */
  keyFingerprint(candidate: string): Promise<string>
  /**
   * What tells stored files that were put for these data from files of others in the same place; the candidate is kept when
   * there is nothing yet. Absent where no others can have files there.
   */
  fileOwner?(candidate: string): Promise<string>
  /**
   * Hears that the program which opened it has started: what an upgrade kept for the case that it can't is
   * removed.
   */
  started?(): Promise<void>
  /** Fails when what is stored can't be read, or is known to be damaged. Reads it past what is remembered. */
  check?(): Promise<void>
  /** Ends what is stepwise and takes long; it is done again from the beginning at another time. None begins after it. */
  interrupt?(): Promise<void>
  /** Finishes what is under way, then lets go of the file or the connections. Idempotent. */
  close(): Promise<void>
}

/** A storage that an engine can open: SQLite on a file, PostgreSQL by an address. */
export interface Storage {
  readonly name: string
  /** Opens the storage and migrates it to this version; refuses one that a newer version has written. */
  open(dependencies: StorageDependencies): Promise<OpenStorage>
}
