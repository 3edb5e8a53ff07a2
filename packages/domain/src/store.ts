import type {
  AccessTokenReader,
  AccessTokenRepository,
} from './access-tokens/access-token-repository.ts'
import type { AttemptRepository } from './accounts/attempts/attempt-repository.ts'
import type { AddressCodeRepository } from './accounts/mail/address-code-repository.ts'
import type { SessionReader, SessionRepository } from './accounts/sessions/session-repository.ts'
import type { InviteCodeRepository } from './accounts/sign-up/invite-code-repository.ts'
import type { AvatarReader, AvatarRepository } from './accounts/users/avatar-repository.ts'
import type { UserReader, UserRepository } from './accounts/users/user-repository.ts'
import type { AttachmentReader, AttachmentRepository } from './attachments/attachment-repository.ts'
import type { FileUseRepository } from './attachments/file-use-repository.ts'
import type {
  ThumbnailReader,
  ThumbnailRepository,
} from './attachments/thumbnails/thumbnail-repository.ts'
import type { BaseReader, BaseRepository } from './bases/base-repository.ts'
import type { CanonicalReader } from './bases/canonical-reader.ts'
import type { UsageReader } from './billing/usage-reader.ts'
import type {
  CalculationReader,
  CalculationRepository,
} from './calculations/pending/calculation-repository.ts'
import type { ChartFinder } from './charts/chart-finder.ts'
import type { AccessRepository } from './collaborators/access-repository.ts'
import type {
  CollaboratorReader,
  CollaboratorRepository,
} from './collaborators/collaborator-repository.ts'
import type {
  InvitationReader,
  InvitationRepository,
} from './collaborators/invitations/invitation-repository.ts'
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
import type { ColumnRepository } from './records/reading/column-repository.ts'
import type { RecordFinder } from './records/reading/record-finder.ts'
import type { RecordReader } from './records/reading/record-reader.ts'
import type { RecordScanner } from './records/reading/record-scanner.ts'
import type { RecordSizeReader } from './records/reading/record-size-reader.ts'
import type { RecordWriter } from './records/record-writer.ts'
import type { DiagramFieldReader } from './schemas/diagram-field-reader.ts'
import type { FieldReader, FieldRepository } from './schemas/field-repository.ts'
import type { TableRebuildRepository } from './schemas/table-rebuild-repository.ts'
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
   * Whether statements that are sent together need one wait, as over a network. Then it saves a wait to send one before it
   * is known whether its result is needed.
   */
  readonly mayAskAhead: boolean
  /**
   * Announces that the rest of the work may read or change many records. Where others would have to wait for that, it
   * throws: the storage rolls the work back and starts it again where only other long work has to wait. Otherwise it does
   * nothing. Call it after access was checked and before anything is computed, and don't catch its error.
   */
  becomeLong(how?: LongWork): void
}

/** How a storage may run long work. */
export interface LongWork {
  /**
   * Whether the work computes for a while, from little that it reads, before it changes anything. A storage with one writer
   * may then run this first part before the work's turn to write, and repeat it in that turn if what was read has changed.
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
  readonly tableRebuilds: TableRebuildRepository
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
   * Calls the function when this transaction has ended, with whether its changes are kept. Where a storage retries the
   * work, the function of the first attempt is called before the next one. It must not throw.
   */
  onEnd(work: (isKept: boolean) => void): void
  /**
   * Has `ask` called behind each statement that holds tables from here on, but for one that holds a single table by way of
   * `access`: while the statement waited, others may have changed what the call was let in by. So it is behind each that holds
   * records, also before, that took as long as if others had held them; these are too many to ask behind each. What `ask` throws
   * ends the work. A storage in which nobody waits within a transaction never calls it.
   */
  askOnceHeld(ask: () => Promise<void>): Promise<void>
  /**
   * Whether this transaction may also do work of the next one, which saves a commit: it is still short, and nobody waits
   * for it to end. False where a storage can't know.
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
  /** Whether the read may pause for others while it is open: a storage may reserve connections for reads that don't. */
  readonly lasts?: boolean
  /**
   * Whether the work needs no consistent snapshot, because it sends one statement, or because what it reads later proves
   * itself current, as a table's tag does for its cached fields: a storage may leave out the transaction.
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
  /** As in a transaction, for work outside of one: all work on the thread takes the same turns. */
  giveWay(): Promise<void>
  /**
   * A number that changes with each commit which may affect who may call and what they may do: changes of users, sessions,
   * access tokens, collaborators, spaces, bases and tables. It changes before anybody is told of the commit, so what was
   * read of these while the number was the same still holds. Undefined while such a commit is under way, and always
   * where other processes write, too.
   */
  accessState?(): number | undefined
}

/** A store of jobs alone, for what an engine does with them at its start. */
export interface JobStore {
  /** See `Store`. */
  write<T>(work: (tx: { readonly jobs: StartingJobRepository }) => Promise<T>): Promise<T>
}

/** What a storage reports to, given when it is opened. */
export interface StorageDependencies {
  /** Called with the events of each committed transaction, in the order of the commits. */
  readonly onCommit: (events: readonly DomainEvent[]) => void
  /** Called with failures of the storage itself, for the log. Must not throw. */
  readonly onFailure?: (error: unknown) => void
}

/** An open storage. */
export interface OpenStorage {
  readonly store: Store
  /** For the start of an engine, where this is ready before what other transactions need is loaded; else `store` is used. */
  readonly jobStore?: JobStore
  /**
   * Whether other processes may serve the same data at the same time; by default, no. Rate limits are then counted in the
   * storage, otherwise in the memory of the one process.
   */
  readonly isShared?: boolean
  /**
   * The instance key kept in the storage; when there is none yet, the candidate is stored and returned. For programs
   * without a key of their own. Where the storage was opened with a program's own key before, the candidate is returned
   * and not stored.
   */
  instanceKey(candidate: string): Promise<string>
  /**
   * The fingerprint of the instance key, by which another key is recognised; it doesn't reveal the key. When there is
   * none yet, the candidate is stored and returned.
   */
  keyFingerprint(candidate: string): Promise<string>
  /**
   * The name that marks this storage's files, where other storages keep files in the same folder or bucket. When there is
   * none yet, the candidate is stored and returned. Absent where no other storage can have files there.
   */
  fileOwner?(candidate: string): Promise<string>
  /**
   * Called when the program has started: the storage removes what an upgrade kept in case the new version can't start.
   */
  started?(): Promise<void>
  /** Rejects when the data can't be read or are known to be damaged. Reads from the disk or database, past caches. */
  check?(): Promise<void>
  /** Cancels stepwise writes (`isStepwise`), and lets no others begin. Their jobs start again at another time. */
  interrupt?(): Promise<void>
  /** Finishes the transactions under way, then releases the file or the connections. May be called again. */
  close(): Promise<void>
}

/** A storage that an engine can open, as `sqlite(…)` and `postgres(…)` return it. */
export interface Storage {
  readonly name: string
  /** Opens the storage and migrates it to this version. Rejects for one that a newer version has written. */
  open(dependencies: StorageDependencies): Promise<OpenStorage>
}
