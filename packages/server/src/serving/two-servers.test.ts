import type { Api } from '@gateleg/domain/api'
import { testPassword } from '@gateleg/testing/worlds/world'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FreshDatabase, makeDatabase } from '../../../../test/fresh-database.ts'
import { runProgram, type ServerProcess, startServer } from '../../../../test/server-process.ts'
import { isOn } from '../../../../test/storages.ts'

describe.runIf(isOn('postgres'))(
  'two servers that started at one time on an empty database',
  () => {
    let database: FreshDatabase
    let one: ServerProcess
    let two: ServerProcess
    let people = 0

    beforeAll(async () => {
      database = await makeDatabase()
      const { connectionString: DATABASE_URL } = database
      const start = () => startServer({ DATABASE_URL, SIGNIN_LIMIT_PER_MINUTE: '12' })
      const servers = await Promise.all([start(), start()])
      ;[one, two] = servers
    })
    afterAll(async () => {
      await Promise.all([one.kill(), two.kill()])
      await database.drop()
    })

    /** A new user, signed in through the one server; their calls through either. */
    async function signUp() {
      const email = `person${++people}@example.com`
      const user = await one.api().accounts.signUp({ email, password: testPassword })
      const { id: userId, accessToken } = user
      return { userId, email, accessToken, here: one.api(accessToken), there: two.api(accessToken) }
    }

    async function makeTable(api: Api) {
      const [space] = await api.spaces.listSpaces({})
      const { id: baseId } = await api.bases.createBase({ spaceId: space?.id ?? '' })
      const { id: tableId, records } = await api.tables.createTable({ baseId })
      return { baseId, tableId, recordId: records[0]?.id ?? '' }
    }

    test('[SERVER-12] both are up and have one instance key', async () => {
      for (const { url } of [one, two]) expect((await fetch(`${url}/health`)).status).toBe(200)
      const { here, there } = await signUp()
      // Sealed with the key by the one, opened by the other.
      const once = { idempotencyKey: 'once' }
      const { id } = await here.spaces.createSpace({ name: 'Mine' }, once)
      expect(await there.spaces.createSpace({ name: 'Mine' }, once)).toMatchObject({ id })
      // Signed with the key by the one, proved by the other.
      const { tableId } = await makeTable(here)
      const page = await here.records.listRecords({ tableId, take: 2 })
      const cursor = page.nextCursor ?? ''
      expect((await there.records.listRecords({ tableId, cursor })).records).toHaveLength(1)
      expect([one.log(), two.log()]).toEqual(['', ''])
    })

    test('[SERVER-16] a session that ends through one has ended in the other', async () => {
      const { email, there, here } = await signUp()
      const again = await two.api().accounts.signIn({ email, password: testPassword })
      const stolen = one.api(again.accessToken)
      expect((await stolen.accounts.getMe({})).email).toBe(email)
      const sessions = await there.accounts.listSessions({})
      const other = sessions.find(({ isCurrent }) => !isCurrent)
      await there.accounts.revokeSession({ sessionId: other?.id ?? '' })
      await expect(stolen.accounts.getMe({})).rejects.toMatchObject({ code: 'unauthorized' })
      await here.accounts.signOut({})
      await expect(there.accounts.getMe({})).rejects.toMatchObject({ code: 'unauthorized' })
    })

    test('[SERVER-16] an access token that is deleted through one is gone in the other', async () => {
      const { here, there } = await signUp()
      const { id, token } = await here.accessTokens.createToken({
        name: 'Script',
        scopes: ['space|read'],
        hasFullAccess: true,
        expiredTime: '2100-01-01',
      })
      await there.accessTokens.listTokens({})
      expect(await two.api(token).spaces.listSpaces({})).toHaveLength(1)
      await here.accessTokens.deleteToken({ id })
      await expect(two.api(token).spaces.listSpaces({})).rejects.toMatchObject({
        code: 'unauthorized',
      })
    })

    test('[SERVER-16] a role that changes through one has changed in the other', async () => {
      const owner = await signUp()
      const guest = await signUp()
      const { baseId, tableId, recordId } = await makeTable(owner.here)
      const principal = { principalId: guest.userId, principalType: 'user' as const }
      const write = () => {
        const record = { fields: { Name: 'written' } }
        return guest.there.records.updateRecord({ tableId, recordId, record })
      }
      await expect(write()).rejects.toMatchObject({ code: 'not_found' })
      await owner.here.collaborators.addBaseCollaborators({
        baseId,
        collaborators: [principal],
        role: 'editor',
      })
      await write()
      await owner.here.collaborators.changeBaseCollaborator({
        baseId,
        ...principal,
        role: 'viewer',
      })
      await expect(write()).rejects.toMatchObject({ code: 'restricted_resource' })
      await owner.here.collaborators.removeBaseCollaborator({ baseId, ...principal })
      await expect(write()).rejects.toMatchObject({ code: 'not_found' })
    })

    test('[SERVER-16] a field that changes through one has changed in the other', async () => {
      const { here, there } = await signUp()
      const { tableId, recordId } = await makeTable(here)
      const read = async (api: Api) => (await api.records.getRecord({ tableId, recordId })).fields
      const write = (api: Api, fields: Record<string, unknown>) =>
        api.records.updateRecord({ tableId, recordId, record: { fields } })
      for (const [first, second] of [
        [here, there],
        [there, here],
      ] as const) {
        // Both have the table's statements prepared and its schema at hand.
        await write(first, { Name: 'before' })
        await write(second, { Name: 'before too' })
        const { id: fieldId } = await first.fields.createField({
          tableId,
          type: 'number',
          name: 'New',
        })
        await write(second, { New: 1 })
        expect(await read(first)).toMatchObject({ New: 1 })
        await second.fields.updateField({ tableId, fieldId, name: 'Newer', dbFieldName: 'newer' })
        expect(await read(first)).toMatchObject({ Newer: 1 })
        await write(first, { Newer: 2 })
        expect(await read(second)).toMatchObject({ Newer: 2 })
        await first.fields.deleteField({ tableId, fieldId })
        expect(await read(second)).not.toHaveProperty('Newer')
        await expect(write(second, { Newer: 3 })).rejects.toMatchObject({
          code: 'not_found',
        })
      }
    })

    test('[SERVER-70] sign-ins through either count for both', async () => {
      const signIn = async ({ url }: ServerProcess) => {
        const { status, headers } = await fetch(`${url}/api/auth/signin`, { method: 'POST' })
        const [, left] = /^"sign-ins";r=(\d+);t=\d+$/.exec(headers.get('ratelimit') ?? '') ?? []
        return { status, left: Number(left) }
      }
      const before = (await signIn(one)).left
      for (let count = 1; count <= before; count++) {
        expect(await signIn(count % 2 ? two : one)).toEqual({ status: 400, left: before - count })
      }
      // Neither has let in as many by itself.
      for (const server of [one, two]) {
        expect(await signIn(server)).toEqual({ status: 429, left: 0 })
      }
    })
  },
)

test('[SERVER-13] a database out of reach stops the start with a sentence that holds no password', async () => {
  const ended = await runProgram([], { DATABASE_URL: 'postgres://ada:secret@127.0.0.1:1/work' })
  expect(ended).toEqual({
    code: 1,
    stdout: '',
    stderr:
      "gateleg can't start.\nNo connection to PostgreSQL: connect ECONNREFUSED 127.0.0.1:1: look at DATABASE_URL.\n",
  })
})

describe.runIf(isOn('postgres'))('a database that does not fit', () => {
  test('[SERVER-13] stops the start with a sentence that names what is wrong', async () => {
    const { connectionString, drop } = await makeDatabase()
    const url = new URL(connectionString)
    url.password = 'wrong'
    const wrong = await runProgram([], { DATABASE_URL: url.href })
    expect(wrong).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^gateleg can't start\.\n.*password authentication failed.*\n$/,
      ),
    })
    await drop()
    const missing = await runProgram([], { DATABASE_URL: connectionString })
    expect(missing).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^gateleg can't start\.\n.* does not exist: look at DATABASE_URL\.\n$/,
      ),
    })
  })

  test('[SERVER-13] stops the start where the role may not make schemas, or characters would be lost', async () => {
    const { connectionString, drop } = await makeDatabase()
    const url = new URL(connectionString)
    const client = new pg.Client({ connectionString })
    await client.connect()
    const role = `${url.pathname.slice(1)}_role`
    await client.query(`create role "${role}" login password 'x'`)
    await client.query(
      `create database "${role}" encoding SQL_ASCII locale 'C' locale_provider libc template template0`,
    )
    const refusalOf = async (settings: {
      username?: string
      password?: string
      pathname?: string
    }) => {
      const address = Object.assign(new URL(connectionString), settings)
      const { code, stderr } = await runProgram([], { DATABASE_URL: address.href })
      return [code, stderr]
    }
    expect(await refusalOf({ username: role, password: 'x' })).toEqual([
      1,
      expect.stringMatching(
        /^gateleg can't start\.\npermission denied .*: look at DATABASE_URL\.\n$/,
      ),
    ])
    expect(await refusalOf({ pathname: role })).toEqual([
      1,
      "gateleg can't start.\nThe database's encoding is SQL_ASCII: create one whose encoding is UTF8.\n",
    ])
    await client.query(`drop database "${role}"`)
    await client.query(`drop role "${role}"`)
    await client.end()
    await drop()
  })
})
