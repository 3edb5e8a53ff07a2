import type { Lock } from '@gateleg/domain/access/lock'
import type { ListedInstall, PluginInstall } from '@gateleg/domain/plugin-installs/plugin-install'
import type { PluginInstallRepository } from '@gateleg/domain/plugin-installs/plugin-install-repository'
import { prepared } from '../core/database.ts'
import { deleteFrom } from '../core/own-tables/delete-rows.ts'
import { findById } from '../core/own-tables/find-by-id.ts'
import { valuesOf } from '../core/own-tables/insert-row.ts'
import { insertRows } from '../core/own-tables/insert-rows.ts'
import type { SqlSession } from '../core/session.ts'
import {
  listedInstallColumns,
  type PluginInstallRow,
  pluginInstallColumns,
} from '../metadata/tables/plugin-install-table.ts'

const findBy = findById('plugin_installs')

/** The installs at a position, in their order, as far as the columns tell of them. */
function listAtWith<Name extends keyof PluginInstallRow>(names: readonly Name[]) {
  return prepared<{ positionId: string }, Pick<PluginInstallRow, Name>>((db, value) =>
    db
      .selectFrom('plugin_installs')
      .select(names)
      .where('position_id', '=', value('positionId'))
      .orderBy('position')
      .orderBy('id')
      .$castTo<Pick<PluginInstallRow, Name>>(),
  )
}

const listAt = listAtWith(listedInstallColumns.names)
const listWholeAt = listAtWith(pluginInstallColumns.names)

/** Holds installs that are copied: in the order of their ids, as others hold several. */
const holdToCopy = {
  position_id: holdWhere('position_id'),
  table_id: holdWhere('table_id'),
}

function holdWhere(column: 'position_id' | 'table_id') {
  return prepared<{ id: string }, { id: string }>((db, value, dialect) =>
    db
      .selectFrom('plugin_installs')
      .select('id')
      .where(column, '=', value('id'))
      .orderBy('id')
      .modifyEnd(dialect.locks.clause('share', 'plugin_installs')),
  )
}

const listWholeIn = prepared<{ tableId: string }, PluginInstallRow>((db, value) =>
  db
    .selectFrom('plugin_installs')
    .selectAll()
    .where('table_id', '=', value('tableId'))
    .orderBy('id'),
)

const keepingIn = prepared<{ baseId: string; after: string; most: number }, PluginInstallRow>(
  (db, value) =>
    db
      .selectFrom('plugin_installs')
      .selectAll()
      .where('base_id', '=', value('baseId'))
      .where('storage', 'is not', null)
      .where('id', '>', value('after'))
      .orderBy('id')
      .limit(value('most')),
)

const countIn = prepared<{ baseId: string }, { count: number | string }>((db, value) =>
  db
    .selectFrom('plugin_installs')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('base_id', '=', value('baseId')),
)

const update = prepared<PluginInstallRow, unknown>((db, value) =>
  db
    .updateTable('plugin_installs')
    .set(valuesOf(['name', 'position', 'storage', 'version'], value))
    .where('id', '=', value('id')),
)

const remove = deleteFrom('plugin_installs', 'id')
const removeAt = deleteFrom('plugin_installs', 'position_id')

export class SqlPluginInstallRepository implements PluginInstallRepository {
  readonly #session: SqlSession

  constructor(session: SqlSession) {
    this.#session = session
  }

  async find(id: string, lock: Lock = 'none'): Promise<PluginInstall | undefined> {
    const row = await this.#session.first(findBy[lock], { id })
    return row && pluginInstallColumns.toEntity(row)
  }

  async listAt(positionId: string): Promise<readonly ListedInstall[]> {
    return (await this.#session.all(listAt, { positionId })).map(listedInstallColumns.toEntity)
  }

  async listWholeAt(positionId: string): Promise<readonly PluginInstall[]> {
    return (await this.#session.all(listWholeAt, { positionId })).map(pluginInstallColumns.toEntity)
  }

  async listWholeIn(tableId: string): Promise<readonly PluginInstall[]> {
    return (await this.#session.all(listWholeIn, { tableId })).map(pluginInstallColumns.toEntity)
  }

  async heldAt(positionId: string): Promise<readonly PluginInstall[]> {
    await this.#hold('position_id', positionId)
    return this.listWholeAt(positionId)
  }

  async heldIn(tableId: string): Promise<readonly PluginInstall[]> {
    await this.#hold('table_id', tableId)
    return this.listWholeIn(tableId)
  }

  async #hold(column: keyof typeof holdToCopy, id: string): Promise<void> {
    if (!this.#session.dialect.locks.holdsRows) return
    await this.#session.all(holdToCopy[column], { id })
  }

  async keepingIn(
    baseId: string,
    { after, most }: { readonly after: string; readonly most: number },
  ): Promise<readonly PluginInstall[]> {
    const rows = await this.#session.all(keepingIn, { baseId, after, most })
    return rows.map(pluginInstallColumns.toEntity)
  }

  async countInHeld(baseId: string): Promise<number> {
    const { connection, dialect } = this.#session
    await dialect.locks.claim(connection, `plugin installs ${baseId}`)
    return Number((await this.#session.one(countIn, { baseId })).count)
  }

  async insert(installs: readonly PluginInstall[]): Promise<void> {
    await insertRows(this.#session, 'plugin_installs', pluginInstallColumns, installs)
  }

  async update(install: PluginInstall): Promise<void> {
    await this.#session.run(update, pluginInstallColumns.toRow(install))
  }

  async delete(id: string): Promise<void> {
    await this.#session.run(remove, { id })
  }

  async deleteAt(positionId: string): Promise<void> {
    await this.#session.run(removeAt, { id: positionId })
  }
}
