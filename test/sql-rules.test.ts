import { fieldTypes } from '@gateleg/domain/fields/field-types'
import { relationships } from '@gateleg/domain/fields/link-end'
import { openEngine } from '@gateleg/engine/open-engine'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { giveBackSchema, onSchema, takeSchema, testConnectionString } from './fresh-postgres.ts'
import { brokenRules } from './sql-rules.ts'
import { isOn } from './storages.ts'

describe('rules for statements', () => {
  test.each([
    [
      'R2',
      'alter table "bse1"."t" add constraint "x" foreign key ("a") references "gateleg"."users" ("id")',
    ],
    ['R2', 'create view v as select 1'],
    ['R2', 'create or replace function f() returns int language sql as $$ select 1 $$'],
    ['R5', 'create sequence "bse1"."s" owned by "bse1"."t"."n"'],
    ['R5', 'create table t (n bigserial primary key)'],
    ['R5', 'alter table t add column n bigint generated always as identity'],
    ['R6', 'alter table t add column n bigint check (n > 0)'],
    ['R6', `alter table t add column n bigint default nextval('s')`],
    ['R8', 'update t set a = now() where id = $1'],
    ['R8', 'update "t" set "a" = concat("b", $1)'],
    ['R8', 'update t set a = b::text'],
    ['R8', 'update t set a = b1::timestamptz'],
    ['R8', 'update t set a = cast(b as date)'],
    ['R8', "update t set a = b where c < $1::timestamptz + interval '1 day'"],
    ['R8', 'delete from t where id in (select id from u order by random() limit 1)'],
    ['R8', 'insert into t (a) values ($1) on conflict (a) do update set b = clock_timestamp()'],
    ['R8', 'insert into t (a) values ($1) returning id, to_jsonb(t)'],
    ['R8', 'with x as (select 1) update t set a = gen_random_uuid()'],
    ['R8', 'merge into t using u on t.id = u.id when matched then delete'],
    ['R9', 'insert into t select * from u'],
    ['R9', 'insert into t (a, b) select a, now() from u'],
    ['R9', 'insert into t (a) values ((select max(a) from u))'],
    ['R9', 'insert into t (a) select a from unnest($1::text[]) as v(a)'],
    ['R9', 'with x as materialized (select a from u) insert into "bse1"."t" (a) select a from x'],
    ['R10', 'set search_path = x'],
    ['R11', 'select * from "bse1"."t" join "bse2"."u" on true'],
    ['R12', 'select pg_advisory_xact_lock(id) from t'],
    ['R12', `select setval('s', (select max(n) from t))`],
    ['R14', 'alter table t add constraint u unique (a) deferrable initially deferred'],
    ['R14', 'begin isolation level serializable'],
    ['R15', 'create schema x create table t (a int)'],
    ['R6', 'create table u (a int);\nalter table t add column n bigint check (n > 0)'],
  ])('%s finds %s', (rule, sql) => {
    expect(brokenRules(sql).map((one) => one.split(':')[0])).toContain(rule)
  })

  test.each([
    'alter table t add column n bigint;\ncreate table u (a int, constraint p primary key (a))',
    'select pg_advisory_xact_lock($1)',
    'update t set a = $1, version = version + 1 where id = any($2::text[])',
    `update t set a = 'it is now() or never' where id = $1`,
    'update t set a = $12::timestamptz where b = any($3::timestamptz(3)[])',
    'insert into t (a, b) select a, b from unnest($1::text[], $2::jsonb[]) as v(a, b) returning id',
    'insert into t (a) values ($1), (now())',
    'select now(), a::text from t',
    'with p(id, o) as (values ($1, cast($2 as double precision))) update t set o = p.o from p where t.id = p.id',
    'select * from "bse1"."t" where "id" in (select "id" from "bse1"."u")',
    'set local citus.enable_schema_based_sharding = off',
  ])('finds nothing in %s', (sql) => {
    expect(brokenRules(sql)).toEqual([])
  })
})

describe.runIf(isOn('postgres'))('rules for the schema', () => {
  let client: pg.Client
  let schema: string
  let schemas: readonly string[]

  /** A workspace with fields of every type, some of them unique or required. */
  beforeAll(async () => {
    client = new pg.Client({ connectionString: testConnectionString() })
    await client.connect()
    schema = await takeSchema()
    const engine = await openEngine({ storage: onSchema(schema) })
    const { id: userId } = await engine.public.accounts.signUp({
      email: 'ada@example.com',
      password: 'correct horse 1',
    })
    const api = engine.as({ userId })
    const [space] = await api.spaces.listSpaces({})
    const bases = [1, 2].map(() => api.bases.createBase({ spaceId: space?.id ?? '' }))
    const [base, other] = await Promise.all(bases)
    schemas = [schema, base?.id ?? '', other?.id ?? '']
    const fields = [...fieldTypes.values()]
      .filter((type) => !type.computation)
      .map((type) => ({ type: type.name, ...(type.canBeUnique && { unique: true }) }))
    const { id: tableId, fields: made } = await api.tables.createTable({
      baseId: base?.id ?? '',
      fields,
    } as never)
    const add = (field: object) => api.fields.createField({ tableId, ...field } as never)
    await add({ type: 'number', unique: true })
    await add({ type: 'formula', options: { expression: '1' } })
    for (const relationship of relationships) {
      const options = { relationship, foreignTableId: tableId }
      const { id: linkFieldId } = await add({ type: 'link', options })
      const lookupFieldId = made?.[0]?.id
      const lookupOptions = { foreignTableId: tableId, linkFieldId, lookupFieldId }
      await add({ type: 'rollup', options: { expression: 'countall({values})' }, lookupOptions })
    }
    await engine.close()
  })

  afterAll(async () => {
    await client.end()
    giveBackSchema(schema)
  })

  const namesFrom = async (query: string): Promise<readonly string[]> => {
    const { rows } = await client.query({ text: query, values: [schemas], rowMode: 'array' })
    return rows.flat()
  }

  const relations = (condition: string) =>
    namesFrom(`
      select c.relname from pg_class c where c.relnamespace::regnamespace::text in
        (select quote_ident(name) from unnest($1::text[]) as name) and ${condition}`)

  test('the workspace is there', async () => {
    expect((await relations(`c.relkind = 'r'`)).length).toBeGreaterThan(15)
    expect(await relations(`c.relkind = 'S'`)).toHaveLength(1)
  })

  test('R2 no foreign key, view, trigger or function anywhere', async () => {
    expect(await relations(`c.relkind not in ('r', 'i', 'S', 't')`)).toEqual([])
    const constraints = `exists (select from pg_constraint where conrelid = c.oid and contype in ('f', 't'))`
    expect(await relations(constraints)).toEqual([])
    expect(
      await relations('exists (select from pg_trigger where tgrelid = c.oid and not tgisinternal)'),
    ).toEqual([])
    const functions = `
      select proname from pg_proc where pronamespace in
        (select oid from pg_namespace where nspname = any($1))`
    expect(await namesFrom(functions)).toEqual([])
  })

  test('R4 every table has a primary key', async () => {
    const missing = `not exists (select from pg_constraint where conrelid = c.oid and contype = 'p')`
    expect(await relations(`c.relkind = 'r' and ${missing}`)).toEqual([])
  })

  test('R5 no sequence is owned, and no column is an identity', async () => {
    const owned = `exists (select from pg_depend where objid = c.oid and deptype in ('a', 'i'))`
    expect(await relations(`c.relkind = 'S' and ${owned}`)).toEqual([])
    const identities = `exists (select from pg_attribute where attrelid = c.oid and attidentity <> '')`
    expect(await relations(identities)).toEqual([])
  })

  test('R6 constraints, indexes and sequences have short names of ours', async () => {
    const named = await namesFrom(`
      select conname from pg_constraint where contype <> 'n' and connamespace in
        (select oid from pg_namespace where nspname = any($1))`)
    const all = [...named, ...(await relations(`c.relkind in ('i', 'S')`))]
    expect(all.filter((name) => Buffer.byteLength(name) > 50)).toEqual([])
    // What PostgreSQL calls those that nobody named.
    expect(all.filter((name) => /_(?:pkey|key|fkey|check|excl|idx|seq)\d*$/.test(name))).toEqual([])
  })
})
