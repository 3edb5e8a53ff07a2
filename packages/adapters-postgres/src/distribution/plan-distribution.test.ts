import { openEngine } from '@gateleg/engine/open-engine'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type FreshDatabase, makeDatabase } from '../../../../test/fresh-database.ts'
import { isOn } from '../../../../test/storages.ts'
import { postgres } from '../postgres.ts'
import { planDistribution } from './plan-distribution.ts'

/** Makes two bases in an instance, the first with a table. */
async function install(
  { connectionString }: Pick<FreshDatabase, 'connectionString'>,
  metadataSchema: string,
): Promise<readonly [string, string]> {
  const engine = await openEngine({ storage: postgres({ connectionString, metadataSchema }) })
  const ada = { email: 'ada@example.com', password: 'correct horse 1' }
  const { id: userId } = await engine.public.accounts.signUp(ada)
  const api = engine.as({ userId })
  const [space] = await api.spaces.listSpaces({})
  const { id: first } = await api.bases.createBase({ spaceId: space?.id ?? '' })
  const { id: second } = await api.bases.createBase({ spaceId: space?.id ?? '' })
  const { id: tableId } = await api.tables.createTable({ baseId: first, dbTableName: 'made' })
  await api.fields.createField({ tableId, type: 'number', unique: true })
  await engine.close()
  return [first, second]
}

describe.runIf(isOn('postgres'))('a plan for a distributed database', () => {
  let installed: FreshDatabase
  let baseIds: readonly [string, string]
  let database: FreshDatabase
  let client: pg.Client

  beforeAll(async () => {
    installed = await makeDatabase()
    baseIds = await install(installed, 'gateleg')
  })
  afterAll(() => installed.drop())

  beforeEach(async () => {
    database = await installed.copy()
    client = new pg.Client({ connectionString: database.connectionString })
    await client.connect()
  })
  afterEach(async () => {
    await client.end()
    await database.drop()
  })

  const plan = (metadataSchema?: string) =>
    planDistribution({
      connectionString: database.connectionString,
      ...(metadataSchema !== undefined && { metadataSchema }),
    })

  test('[POSTGRES-17] names the metadata tables and the bases, and what is made later at the end', async () => {
    const { obstacles, statements } = (await plan()) ?? { obstacles: [], statements: [] }
    expect(obstacles).toEqual([])
    const { rows } = await client.query(
      `select tablename from pg_tables where schemaname = 'gateleg' order by tablename`,
    )
    const name = new URL(database.connectionString).pathname.slice(1)
    expect(rows.length).toBeGreaterThan(15)
    expect(statements).toEqual([
      `ALTER DATABASE "${name}" SET timezone = 'UTC';`,
      ...rows.map(
        ({ tablename }) => `SELECT citus_add_local_table_to_metadata('"gateleg"."${tablename}"');`,
      ),
      ...baseIds.toSorted().flatMap((id) => {
        const distribute = `SELECT citus_schema_distribute('"${id}"');`
        if (id === baseIds[0]) return [distribute]
        return [
          `CREATE TABLE IF NOT EXISTS "${id}".distributed (id text CONSTRAINT distributed_pk PRIMARY KEY);`,
          distribute,
          `DROP TABLE "${id}".distributed;`,
        ]
      }),
      `ALTER DATABASE "${name}" SET citus.enable_schema_based_sharding = on;`,
      `ALTER DATABASE "${name}" SET citus.use_citus_managed_tables = on;`,
      expect.stringContaining('pg_terminate_backend'),
    ])
    // PostgreSQL takes all of them for SQL, but has no Citus.
    for (const statement of statements.filter((text) => !text.includes('citus'))) {
      await client.query(statement)
    }
    for (const statement of statements.filter((text) => /^SELECT citus/.test(text))) {
      await expect(client.query(statement)).rejects.toMatchObject({ code: '42883' })
    }
  })

  test('[POSTGRES-17] ends the connections of servers, which go on with new ones', async () => {
    const engine = await openEngine({
      storage: postgres({ connectionString: database.connectionString }),
      jobs: false,
    })
    const ada = { email: 'ada@example.com', password: 'correct horse 1' }
    const before = await engine.public.accounts.signIn(ada)
    const ending = (await plan())?.statements.at(-1) ?? ''
    const { rows } = await client.query(ending)
    expect(Number(rows[0].count)).toBeGreaterThan(0)
    await expect
      .poll(() => engine.authenticate(before.accessToken).catch(() => undefined), {
        timeout: 10_000,
      })
      .toMatchObject({ userId: before.id })
    await engine.close()
  })

  test('[POSTGRES-17] leaves out what is distributed already', async () => {
    await client.query(
      `create table public.pg_dist_partition as select 'gateleg.users'::regclass as logicalrelid`,
    )
    const statements = (await plan())?.statements.join('\n')
    expect(statements).not.toContain('"users"')
    expect(statements).toContain('"spaces"')
  })

  test('[POSTGRES-17] is about one instance alone', async () => {
    const [mine] = baseIds
    const [theirs] = await install(database, 'theirs')
    await client.query(`create table "${theirs}".bad (n int)`)
    expect((await plan('theirs'))?.obstacles).toHaveLength(1)
    expect((await plan())?.obstacles).toEqual([])
    const statements = (await plan())?.statements.join('\n')
    expect(statements).toContain(mine)
    expect(statements).not.toContain(theirs)
    expect(await plan('nobodys')).toBeUndefined()
  })

  test.each([
    [
      'R2',
      'alter table BASE.bad add constraint far foreign key (id) references gateleg.users (id)',
    ],
    ['R2', 'alter table BASE.bad add constraint far foreign key (id) references OTHER.bad (id)'],
    ['R2', 'create table public.meant (id text constraint here references BASE.bad (id))'],
    [
      'R2',
      `create function public.nothing() returns trigger language plpgsql as 'begin return null; end';
       create trigger told after insert on BASE.bad execute function public.nothing()`,
    ],
    ['R2', 'create view public.joined as select a.id from BASE.bad a join OTHER.bad b using (id)'],
    ['R2', 'create view BASE.people as select id from gateleg.users'],
    ['R4', 'create table BASE.keyless (id text)'],
    ['R4', 'alter table gateleg.spaces drop constraint spaces_pk'],
    ['R5', 'alter table BASE.bad add column number bigint generated always as identity'],
    ['R5', 'create sequence BASE.numbers owned by BASE.bad.id'],
    ['R6', 'alter table BASE.bad add check (id > $$a$$)'],
    ['R6', 'create index on BASE.bad (id)'],
    ['R6', `create index ${'x'.repeat(51)} on BASE.bad (id)`],
    ['R6', `alter table BASE.bad add constraint ${'é'.repeat(26)} check (true)`],
  ])('[POSTGRES-18] finds what breaks %s: %s', async (rule, statement) => {
    const [base, other] = baseIds.map((id) => `"${id}"`) as [string, string]
    for (const schema of [base, other]) {
      await client.query(`create table ${schema}.bad (id text constraint bad_pk primary key)`)
    }
    await client.query(`create view public.seen as select id from ${base}.bad`)
    expect((await plan())?.obstacles).toEqual([])
    await client.query(statement.replaceAll('BASE', base).replaceAll('OTHER', other))
    const obstacles = (await plan())?.obstacles ?? []
    expect(obstacles.map((one) => one.rule)).toContain(rule)
    for (const { what } of obstacles) expect(what).toMatch(/^[^\n]+\.$/)
  })

  test('[POSTGRES-18] finds nothing in what the product makes, and all that is wrong at once', async () => {
    await client.query(`
      alter table "${baseIds[0]}".made add column "a""b" bigint generated by default as identity;
      create table gateleg."lo'st" (id text);`)
    const found = (await plan())?.obstacles.map(({ rule, what }) => `${rule}: ${what}`) ?? []
    expect(found).toEqual([
      `R4: The table gateleg."lo'st" has no primary key.`,
      expect.stringMatching(/^R5: The column "a""b" of .* is an identity\.$/),
      expect.stringMatching(/^R6: .*_seq.* has a name that PostgreSQL made up\.$/),
    ])
    const statements = (await plan())?.statements.join('\n')
    expect(statements).toContain(`citus_add_local_table_to_metadata('"gateleg"."lo''st"')`)
  })
})
