import { toIndexKey } from '@gateleg/domain/indexes/table-index'
import type { OpenStorage, WriteTx } from '@gateleg/domain/store'
import { notesNameOf } from '@gateleg/sql/metadata/tables/table-rebuild-table'
import {
  maker,
  newBase,
  newField,
  newRecord,
  newTable,
} from '@gateleg/testing/factories/stored-rows'
import { recordsPerSlice, withLimits } from '@gateleg/testing/with-limits'
import { copyAsWorn } from '@gateleg/testing/worlds/copy-as-worn'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { freshPostgres, testConnectionString } from '../../../../test/fresh-postgres.ts'
import { relationsOf } from '../../../../test/relations-of.ts'
import { isOn } from '../../../../test/storages.ts'

/** Milliseconds for which others' snapshots are waited for, of tests that run at the same time. */
const patienceMs = 30_000

describe.runIf(isOn('postgres'))('what a copied table has beside columns and records', () => {
  const base = newBase(`bseRules${process.pid}`)
  const table = newTable(base.id)
  const fields = [
    newField(table, 1, 'singleLineText', { unique: true }),
    newField(table, 2, 'number'),
  ]
  const role = `reader${process.pid}`
  const place = `"${base.id}"."${table.dbTableName}"`
  let storage: OpenStorage
  let client: pg.Client

  beforeEach(async () => {
    storage = await freshPostgres().open({ onCommit: () => {} })
    client = new pg.Client({ connectionString: testConnectionString() })
    await client.connect()
    await storage.store.write(async (tx) => {
      await tx.bases.insert(base)
      await tx.tables.insert(table, fields)
      const records = [1, 2, 3].map((n) => newRecord(`rec${n}`, [`name ${n}`, n]))
      await tx.recordWriter.insert(await tx.fields.schemaOf(table), records, maker)
    })
  })

  afterEach(async () => {
    await client.query(`drop schema if exists outside cascade`)
    const { rows } = await client.query('select from pg_roles where rolname = $1', [role])
    if (rows.length > 0) await client.query(`drop owned by ${role}; drop role ${role}`)
    await client.end()
    await storage.close()
  })

  const step = () =>
    withLimits(recordsPerSlice(2), () => storage.store.write((tx) => copyAsWorn(tx, table.id)))
  const find = () => storage.store.write((tx) => tx.tableRebuilds.find(table.id))

  async function stepsUntil(isThere: () => Promise<boolean>): Promise<void> {
    for (const until = Date.now() + patienceMs; Date.now() < until; ) {
      if (await isThere()) return
      await step()
    }
    throw new Error('the table is copied step by step')
  }
  const stepsUntilReady = () => stepsUntil(async () => (await find())?.isReady ?? false)
  async function stepsUntilOver(): Promise<void> {
    await step()
    await stepsUntil(async () => (await find()) === undefined)
  }

  const origin = async () =>
    (await client.query('select to_regclass($1)::oid as oid', [place])).rows[0].oid as number

  async function schemaIn(tx: WriteTx) {
    const [found] = await tx.tables.findAll([table.id], 'update')
    if (!found) throw new Error('the table is there')
    return [found, await tx.fields.schemaOf(found)] as const
  }

  test('[POSTGRES-145] allows others what they were allowed, and is looked after as before', async () => {
    await client.query(`create role ${role}`)
    await client.query(`grant usage on schema "${base.id}" to ${role}`)
    await client.query(`grant select on ${place} to ${role} with grant option`)
    await client.query(`grant select ("__id", "col1") on ${place} to public`)
    await client.query(`alter table ${place} set (autovacuum_vacuum_scale_factor = 0.02)`)
    await client.query(`alter index "${base.id}"."${fields[0]?.id}_unique" set (fillfactor = 70)`)
    const allowed = async () => {
      const { rows } = await client.query(
        `select relacl::text, reloptions::text, (select string_agg(attname || attacl::text, ' ' order by attname) from pg_attribute where attrelid = pg_class.oid) as columns from pg_class where oid = to_regclass($1)`,
        [place],
      )
      return rows
    }
    const before = await allowed()
    const old = await origin()
    expect(before[0].columns).toContain('col1')
    await stepsUntilOver()
    expect(await origin()).not.toBe(old)
    expect(await allowed()).toEqual(before)
  })

  test('[POSTGRES-220] is said of what was said of it, and is followed and looked at as before', async () => {
    const index = `"${base.id}"."${fields[0]?.id}_unique"`
    const statements = [
      `comment on table ${place} is 'it''s ours'`,
      `comment on column ${place}."col2" is 'counted'`,
      `comment on index ${index} is 'names'`,
      `comment on constraint "${table.id}_pk" on ${place} is 'ids'`,
      `alter index ${index} set (fillfactor = 70)`,
      `alter table ${place} alter column "col1" set statistics 500`,
      `alter table ${place} alter column "col2" set (n_distinct = -0.5)`,
    ]
    for (const statement of statements) await client.query(statement)
    const state = async () => {
      const { rows } = await client.query(
        `select t.relreplident as followed,
          obj_description(t.oid, 'pg_class') as said,
          (select jsonb_agg(jsonb_build_array(attname, col_description(t.oid, attnum), coalesce(attstattarget, -1), attoptions) order by attname) from pg_attribute where attrelid = t.oid and attnum > 0) as columns,
          (select jsonb_agg(jsonb_build_array(c.relname, c.reloptions, obj_description(c.oid, 'pg_class'), indisreplident) order by c.relname) from pg_index join pg_class as c on c.oid = indexrelid where indrelid = t.oid) as indexes,
          (select jsonb_agg(jsonb_build_array(conname, obj_description(oid, 'pg_constraint')) order by conname) from pg_constraint where conrelid = t.oid and contype <> 'n') as constraints
        from pg_class as t where t.oid = to_regclass($1)`,
        [place],
      )
      return rows[0]
    }
    for (const identity of ['full', 'nothing', `using index "${table.id}_number"`, 'default']) {
      await client.query(`alter table ${place} replica identity ${identity}`)
      const before = await state()
      expect(JSON.stringify(before)).toMatch(/ours.*500.*counted.*fillfactor=70.*names.*ids/s)
      const old = await origin()
      await stepsUntilOver()
      expect(await origin()).not.toBe(old)
      expect(await state()).toEqual(before)
    }
  })

  test('[STORE-540] is compared no second time where nothing was changed since', async () => {
    await stepsUntilReady()
    const { rows: schemas } = await client.query(
      `select quote_ident(schemaname) as name from pg_tables where tablename = 'table_rebuilds'`,
    )
    // Others in the database may have begun long before.
    for (const { name } of schemas) {
      await client.query(
        `update ${name}.table_rebuilds set shape = jsonb_set(shape::jsonb, '{lookedFrom,horizon}', to_jsonb(pg_current_xact_id()::text))::text where table_id = $1`,
        [table.id],
      )
    }
    const note = async (xmin: string) => {
      const notes = `"${base.id}"."${notesNameOf(table.id)}"`
      const { rows } = await client.query(
        `update ${notes} as n set noted_xmin = $1 from ${notes} as o where n.number = 1 and o.number = 1 returning o.noted_xmin as was`,
        [xmin],
      )
      return rows[0]?.was as string
    }
    const was = await note('3')
    await stepsUntil(async () => (await find())?.isExchanged ?? false)
    expect(await note(was)).toBe('3')
    await stepsUntilOver()
  })

  const attachments = {
    'a view': `create view outside.v as select "__id" from ${place}`,
    'a function': `create function outside.f() returns bigint language sql begin atomic select count(*) from ${place}; end`,
    'a trigger': `create function outside.t() returns trigger language plpgsql as 'begin return new; end'; create trigger noted after insert on ${place} execute function outside.t()`,
    'a reference': `create table outside.r (id text references ${place})`,
    'a publication': `create publication told_${process.pid} for table ${place}`,
    'a policy': `create policy seen on ${place} using (true)`,
    statistics: `create statistics outside.s on "col1", "col2" from ${place}`,
    'a child': `create table outside.c () inherits (${place})`,
    'an index': `create index noted on ${place} ("col2")`,
    'a column': `alter table ${place} add column noted uuid`,
    'a condition': `alter table ${place} add constraint noted check ("col2" < 100)`,
  }
  const columns = {
    'a column with a default': `alter table ${place} add column noted text default 'new'`,
    'a default of a column': `alter table ${place} alter column "col2" set default 7`,
    'a column that is never empty': `alter table ${place} add column noted text not null default ''`,
    'a column that never was empty': `update ${place} set "col2" = 1; alter table ${place} alter column "col2" set not null`,
    'a column that numbers records': `alter table ${place} add column noted bigint generated always as identity`,
    'a column that is computed': `alter table ${place} add column noted text generated always as ("col1" || '!') stored`,
    'a column of another order': `alter table ${place} add column noted text collate "POSIX"`,
  }
  const publication = `drop publication if exists told_${process.pid}`

  test.each(Object.entries({ ...attachments, ...columns }))(
    '[POSTGRES-146] [POSTGRES-250] stays, where others made %s of the table, and no copy of it',
    async (_, statement) => {
      const names = await relationsOf(client, base.id)
      await client.query('create schema outside')
      await stepsUntilReady()
      await client.query(statement)
      try {
        const old = await origin()
        expect(await step()).toBe('more')
        expect(await step()).toBe('over')
        expect(await find()).toBeUndefined()
        expect(await origin()).toBe(old)
        const now = (await relationsOf(client, base.id)).filter((name) => !name.includes('noted'))
        expect(now).toEqual(names)
        expect(await step()).toBe('over')
      } finally {
        await client.query(publication)
      }
    },
  )

  test('[POSTGRES-147] keeps no index for queries that is of another column by now', async () => {
    const [, { id: fieldId }] = fields as [unknown, { id: string }]
    const key = toIndexKey([{ fieldId, kind: 'value', length: 0, isDescending: false }])
    const times = { usedTime: maker.time, checkedTime: maker.time }
    const build = () =>
      storage.store.write(
        async (tx) => {
          const [, schema] = await schemaIn(tx)
          const name = tx.tableIndexes.nameOf(table.id, key)
          const definition = tx.tableIndexes.definitionOf(schema, key) ?? ''
          const index = { name, tableId: table.id, baseId: base.id, key, definition, ...times }
          await tx.tableIndexes.build(schema, { ...index, state: 'wanted' })
          await tx.tableIndexes.save({ ...index, state: 'ready' })
        },
        { isStepwise: true },
      )
    await build()
    await stepsUntilReady()
    // As where the field is converted, and the index made anew.
    await storage.store.write(async (tx) => {
      const [held] = await schemaIn(tx)
      await tx.fields.retireColumns(held, [{ name: 'col2', type: 'REAL' }])
      await tx.fields.addColumn(held, { name: 'col2', type: 'REAL' })
      await tx.tables.renewSchema(table.id, 'converted')
    })
    await build()
    await stepsUntilOver()
    expect(await storage.store.read((tx) => tx.tableIndexes.listOf(table.id))).toEqual([])
    const left = (await relationsOf(client, base.id)).filter((name) => name.includes('_i'))
    expect(left).toEqual([])
  })

  test('[POSTGRES-148] is known to the planner, however few records are copied last', async () => {
    await stepsUntilOver()
    const { rows } = await client.query(
      `select attname from pg_stats where schemaname = $1 and tablename = $2 and attname in ('col1', 'col2')`,
      [base.id, table.dbTableName],
    )
    expect(rows).toHaveLength(2)
  })
})
