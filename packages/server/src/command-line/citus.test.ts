import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type FreshDatabase, makeDatabase } from '../../../../test/fresh-database.ts'
import { runProgram, startServer } from '../../../../test/server-process.ts'
import { isOn } from '../../../../test/storages.ts'

describe.runIf(isOn('postgres'))('gateleg citus', () => {
  let database: FreshDatabase

  beforeEach(async () => {
    database = await makeDatabase()
  })
  afterEach(() => database.drop())

  const runCitus = () => runProgram(['citus'], { DATABASE_URL: database.connectionString })
  const install = async () => {
    const server = await startServer({ DATABASE_URL: database.connectionString })
    const { accessToken } = await server.api().accounts.signUp({
      email: 'ada@example.com',
      password: 'A-good-password-1',
    })
    const api = server.api(accessToken)
    const [space] = await api.spaces.listSpaces({})
    const { id } = await api.bases.createBase({ spaceId: space?.id ?? '' })
    await server.kill()
    return id
  }

  test('[SERVER-17] prints a script, and what is in the way instead', async () => {
    const baseId = await install()
    const { code, stdout, stderr } = await runCitus()
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const lines = stdout.split('\n').filter((line) => !line.startsWith('--'))
    expect(lines[0]).toBe('\\set ON_ERROR_STOP on')
    expect(lines).toContain(`SELECT citus_add_local_table_to_metadata('"gateleg"."users"');`)
    expect(lines).toContain(`SELECT citus_schema_distribute('"${baseId}"');`)
    expect(stdout).toMatch(/^ALTER DATABASE ".*" SET citus\.use_citus_managed_tables = on;$/m)
    expect(stdout).toMatch(/pid <> pg_backend_pid\(\);\n$/)
    expect(stdout).not.toContain(database.connectionString)

    const client = new pg.Client({ connectionString: database.connectionString })
    await client.connect()
    await client.query(`create table "${baseId}".keyless (n int)`)
    await client.end()
    const refused = await runCitus()
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toContain(`R4: The table "${baseId}".keyless has no primary key.`)
  })

  test('[SERVER-17] says that a database has no workspace, and makes none in it', async () => {
    for (const times of [1, 2]) {
      const { code, stdout, stderr } = await runCitus()
      expect([times, code, stdout]).toEqual([times, 1, ''])
      expect(stderr).toContain('There is no workspace in the PostgreSQL database')
    }
  })
})

test('[SERVER-17] asks for the database it is to be about', async () => {
  const { code, stdout, stderr } = await runProgram(['citus'], {})
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toContain('DATABASE_URL must say which database is meant.')
})
