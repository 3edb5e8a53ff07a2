import type { DomainEvent } from '@gateleg/domain/events/event'
import type { WriteTx } from '@gateleg/domain/store'
import { SqlAccessTokenRepository } from './access-tokens/sql-access-token-repository.ts'
import { SqlAttemptRepository } from './accounts/sql-attempt-repository.ts'
import { SqlInviteCodeRepository } from './accounts/sql-invite-code-repository.ts'
import { SqlSessionRepository } from './accounts/sql-session-repository.ts'
import { SqlSignUpCodeRepository } from './accounts/sql-sign-up-code-repository.ts'
import { SqlUserRepository } from './accounts/sql-user-repository.ts'
import { SqlAttachmentRepository } from './attachments/sql-attachment-repository.ts'
import { SqlBaseRepository } from './bases/sql-base-repository.ts'
import { SqlCanonicalReader } from './bases/sql-canonical-reader.ts'
import { SqlCalculationRepository } from './calculations/sql-calculation-repository.ts'
import { SqlAccessRepository } from './collaborators/sql-access-repository.ts'
import { SqlCollaboratorRepository } from './collaborators/sql-collaborator-repository.ts'
import { SqlInvitationRepository } from './collaborators/sql-invitation-repository.ts'
import type { SqlConnection } from './core/connection.ts'
import type { ProcessorTurns } from './core/processor-turns.ts'
import type { SqlSession } from './core/session.ts'
import { SqlAnswerRepository } from './idempotency/sql-answer-repository.ts'
import { SqlJobRepository } from './jobs/sql-job-repository.ts'
import { SqlLinkRepository } from './links/sql-link-repository.ts'
import { SqlColumnRepository } from './records/sql-column-repository.ts'
import { SqlRecordReader } from './records/sql-record-reader.ts'
import { SqlRecordScanner } from './records/sql-record-scanner.ts'
import { SqlRecordSizeReader } from './records/sql-record-size-reader.ts'
import { SqlRecordWriter } from './records/sql-record-writer.ts'
import type { Schemas } from './schemas/schema-cache.ts'
import { SqlFieldRepository } from './schemas/sql-field-repository.ts'
import { SqlTableRepository } from './schemas/sql-table-repository.ts'
import { SqlSpaceRepository } from './spaces/sql-space-repository.ts'
import { SqlPurgeRepository } from './tables/sql-purge-repository.ts'
import { SqlFolderRepository } from './tree/sql-folder-repository.ts'
import { SqlNamedResourceRepository } from './tree/sql-named-resource-repository.ts'
import { SqlNodeRepository } from './tree/sql-node-repository.ts'
import { SqlViewRepository } from './views/sql-view-repository.ts'

/**
 * The repositories of one SQL transaction. A snapshot is the same object seen through `ReadTx`, which
 * has no way to write.
 */
export class SqlTransaction implements WriteTx {
  readonly access: SqlAccessRepository
  readonly answers: SqlAnswerRepository
  readonly signUpCodes: SqlSignUpCodeRepository
  readonly invitations: SqlInvitationRepository
  readonly inviteCodes: SqlInviteCodeRepository
  readonly attempts: SqlAttemptRepository
  readonly attachments: SqlAttachmentRepository
  readonly calculations: SqlCalculationRepository
  readonly links: SqlLinkRepository
  readonly accessTokens: SqlAccessTokenRepository
  readonly canonical: SqlCanonicalReader
  readonly bases: SqlBaseRepository
  readonly dashboards: SqlNamedResourceRepository
  readonly folders: SqlFolderRepository
  readonly nodes: SqlNodeRepository
  readonly workflows: SqlNamedResourceRepository
  readonly collaborators: SqlCollaboratorRepository
  readonly sessions: SqlSessionRepository
  readonly spaces: SqlSpaceRepository
  readonly fields: SqlFieldRepository
  readonly jobs: SqlJobRepository
  readonly purge: SqlPurgeRepository
  readonly records: SqlRecordReader
  readonly recordScanner: SqlRecordScanner
  readonly recordWriter: SqlRecordWriter
  readonly columns: SqlColumnRepository
  readonly recordSizes: SqlRecordSizeReader
  readonly tables: SqlTableRepository
  readonly views: SqlViewRepository
  readonly users: SqlUserRepository
  /** What was noted so far, in order. */
  readonly events: DomainEvent[] = []
  readonly #connection: SqlConnection
  readonly #turns: ProcessorTurns

  constructor(session: SqlSession, schemas: Schemas, turns: ProcessorTurns) {
    this.#connection = session.connection
    this.#turns = turns
    this.access = new SqlAccessRepository(session)
    this.answers = new SqlAnswerRepository(session)
    this.signUpCodes = new SqlSignUpCodeRepository(session)
    this.invitations = new SqlInvitationRepository(session)
    this.inviteCodes = new SqlInviteCodeRepository(session)
    this.attempts = new SqlAttemptRepository(session)
    this.attachments = new SqlAttachmentRepository(session)
    this.calculations = new SqlCalculationRepository(session)
    this.links = new SqlLinkRepository(session)
    this.accessTokens = new SqlAccessTokenRepository(session)
    this.canonical = new SqlCanonicalReader(session)
    this.bases = new SqlBaseRepository(session)
    this.dashboards = new SqlNamedResourceRepository(session, 'dashboards')
    this.folders = new SqlFolderRepository(session)
    this.nodes = new SqlNodeRepository(session)
    this.workflows = new SqlNamedResourceRepository(session, 'workflows')
    this.collaborators = new SqlCollaboratorRepository(session)
    this.sessions = new SqlSessionRepository(session)
    this.spaces = new SqlSpaceRepository(session)
    this.fields = new SqlFieldRepository(session, schemas)
    this.jobs = new SqlJobRepository(session)
    this.purge = new SqlPurgeRepository(session)
    this.records = new SqlRecordReader(session)
    this.recordScanner = new SqlRecordScanner(session)
    this.recordWriter = new SqlRecordWriter(session)
    this.columns = new SqlColumnRepository(session)
    this.recordSizes = new SqlRecordSizeReader(session)
    this.tables = new SqlTableRepository(session)
    this.views = new SqlViewRepository(session)
    this.users = new SqlUserRepository(session)
  }

  giveWay(): Promise<void> {
    return this.#turns.giveWay()
  }

  becomeLong(): void {
    this.#connection.becomeLong?.()
  }

  emit(event: DomainEvent): void {
    this.events.push(event)
  }
}
