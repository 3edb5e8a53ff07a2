import type { DomainEvent } from '@gateleg/domain/events/event'
import type { SqlConnection } from '@gateleg/sql/connection'
import { SqlStore, type SqlTransactions } from '@gateleg/sql/sql-store'
import { sqliteDialect } from './dialect.ts'
import type { ReaderPool } from './reader-pool.ts'
import type { SqliteConnection } from './sqlite-connection.ts'
import { WriteQueue } from './write-queue.ts'

/** A Store on one SQLite file: one writer that groups commits, and readers with snapshots of their own. */
export class SqliteStore extends SqlStore {
  /** `readers` is undefined for a database in memory, which no second connection can see. */
  constructor(
    writer: SqliteConnection,
    readers: ReaderPool | undefined,
    onCommit: (events: readonly DomainEvent[]) => void,
  ) {
    const queue = new WriteQueue(writer)
    const write = async <T>(work: (connection: SqlConnection) => Promise<T>) => {
      const value = await queue.write(() => work(writer))
      await readers?.renew()
      return value
    }
    const transactions: SqlTransactions = {
      read: (work) => (readers ? readers.read(work) : write(work)),
      write,
      close: async () => {
        await queue.idle()
        await readers?.close()
        writer.close()
      },
    }
    super({ transactions, dialect: sqliteDialect, onCommit })
  }
}
