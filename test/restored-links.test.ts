import type { Api } from '@gateleg/domain/api'
import type { Engine } from '@gateleg/engine/engine'
import { openEngine } from '@gateleg/engine/open-engine'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { giveBackSchema, onSchema, takeSchema, testConnectionString } from './fresh-postgres.ts'
import { isOn } from './storages.ts'

type Call = (input: object) => Promise<never>

describe.runIf(isOn('postgres'))('records that come back while others write, on PostgreSQL', () => {
  let schema: string
  let engine: Engine
  let api: Api
  let baseId: string
  /** Holds a row, so that whoever comes to it waits with its transaction open. */
  let holder: pg.Client
  let watcher: pg.Client

  beforeEach(async () => {
    schema = await takeSchema()
    engine = await openEngine({ storage: onSchema(schema), jobs: false })
    const user = await engine.public.accounts.signUp({
      email: 'ada@example.com',
      password: 'correct horse 1',
    })
    api = engine.as({ userId: user.id })
    const [space] = await api.spaces.listSpaces({})
    baseId = (await api.bases.createBase({ spaceId: space?.id ?? '' })).id
    holder = new pg.Client({ connectionString: testConnectionString() })
    watcher = new pg.Client({ connectionString: testConnectionString() })
    await holder.connect()
    await watcher.connect()
  })
  afterEach(async () => {
    await holder.end()
    await watcher.end()
    await engine.close()
    giveBackSchema(schema)
  })

  const create = (tableId: string, fields: object) =>
    (api.records.createRecords as Call)({ tableId, records: [{ fields }] }).then(
      ({ records: [made] }: { records: { id: string }[] }) => made?.id ?? '',
    )

  /** Orders that link to goods, and sum up what these cost. */
  const makeTables = async (isOneWay: boolean) => {
    const goods = await (
      api.tables.createTable as Call as (input: object) => Promise<{
        id: string
        fields: { id: string }[]
      }>
    )({
      baseId,
      name: 'Goods',
      fields: [
        { type: 'singleLineText', name: 'Name' },
        { type: 'number', name: 'Price' },
      ],
      records: [],
    })
    const orders = await api.tables.createTable({ baseId, name: 'Orders', records: [] })
    const link = await (
      api.fields.createField as Call as (input: object) => Promise<{
        id: string
      }>
    )({
      tableId: orders.id,
      type: 'link',
      name: 'Goods',
      options: { relationship: 'manyMany', foreignTableId: goods.id, isOneWay },
    })
    const lookupOptions = {
      linkFieldId: link.id,
      foreignTableId: goods.id,
      lookupFieldId: goods.fields[1]?.id,
    }
    await (api.fields.createField as Call)({
      tableId: orders.id,
      type: 'rollup',
      name: 'Sum',
      options: { expression: 'sum({values})' },
      lookupOptions,
    })
    return { goods: goods.id, orders: orders.id }
  }

  /** Holds a record as a writer does who has it. */
  const hold = async (table: string, recordId: string) => {
    const { rows } = await watcher.query(
      'select schemaname from pg_tables where tablename = $1 and schemaname ilike $2',
      [table, `%${baseId}`],
    )
    await holder.query('begin')
    await holder.query(
      `select 1 from "${rows[0].schemaname}"."${table}" where __id = $1 for update`,
      [recordId],
    )
  }
  const letGo = () => holder.query('rollback')

  /** The process that waits for that of the id, once there is one. */
  const waitingFor = async (pid: number): Promise<number> => {
    let found: number | undefined
    const look = async () => {
      const { rows } = await watcher.query(
        'select pid from pg_stat_activity where $1 = any(pg_blocking_pids(pid))',
        [pid],
      )
      found = rows[0]?.pid
      return found
    }
    await expect.poll(look, { timeout: 5_000, interval: 10 }).toBeDefined()
    return found ?? 0
  }
  const holderPid = async () => (await holder.query('select pg_backend_pid() as pid')).rows[0].pid

  const remove = async (tableId: string, recordId: string) => {
    await api.records.deleteRecord({ tableId, recordId })
    const listed = await api.trash.listTrashItems({ resourceId: tableId, resourceType: 'table' })
    return (trashId: string = listed.trashItems[0]?.id ?? '') => api.trash.restoreTrash({ trashId })
  }

  const shown = async (tableId: string) =>
    (await api.records.listRecords({ tableId })).records.map(({ fields }) => fields)

  test.each([false, true])(
    '[LINK-36] show a value that another write has changed but not kept yet (one-way: %s)',
    async (isOneWay) => {
      const { goods, orders } = await makeTables(isOneWay)
      const apple = await create(goods, { Name: 'apple', Price: 1 })
      const first = await create(orders, { Name: 'first', Goods: [apple] })
      const gone = await create(orders, { Name: 'gone', Goods: [apple] })
      const restore = await remove(orders, gone)
      await hold('Orders', first)
      const record = { fields: { Price: 2 } }
      const written = api.records.updateRecord({ tableId: goods, recordId: apple, record })
      const writer = await waitingFor(await holderPid())
      const restored = restore()
      // It waits for the writer; were it not to, it would end by itself.
      await Promise.race([restored, waitingFor(writer)])
      await letGo()
      await Promise.all([written, restored])
      expect((await shown(orders)).map(({ Sum }) => Sum)).toEqual([2, 2])
    },
  )

  test('[LINK-36] have no link to a record that another call is deleting', async () => {
    const { goods, orders } = await makeTables(false)
    const apple = await create(goods, { Name: 'apple', Price: 1 })
    const first = await create(orders, { Name: 'first', Goods: [apple] })
    const gone = await create(orders, { Name: 'gone', Goods: [apple] })
    const restore = await remove(orders, gone)
    await hold('Orders', first)
    const removed = remove(goods, apple)
    const remover = await waitingFor(await holderPid())
    const restored = restore()
    await Promise.race([restored, waitingFor(remover)])
    await letGo()
    const restoreApple = await removed
    await restored
    expect((await shown(orders)).map(({ Goods }) => Goods)).toEqual([undefined, undefined])
    await restoreApple()
    const shownApple = [{ id: apple, title: 'apple' }]
    expect((await shown(orders)).map(({ Goods }) => Goods)).toEqual([shownApple, shownApple])
  })

  test('[LINK-36] are linked again where both ends come back at one time', async () => {
    const { goods, orders } = await makeTables(false)
    const apple = await create(goods, { Name: 'apple', Price: 1 })
    const pear = await create(goods, { Name: 'pear', Price: 1 })
    const order = await create(orders, { Name: 'both', Goods: [apple, pear] })
    const restoreApple = await remove(goods, apple)
    const restoreOrder = await remove(orders, order)
    await hold('Goods', pear)
    const first = restoreOrder()
    const restorer = await waitingFor(await holderPid())
    const second = restoreApple()
    await Promise.race([second, waitingFor(restorer)])
    await letGo()
    await Promise.all([first, second])
    const [{ Goods, Sum } = {}] = await shown(orders)
    expect(Goods).toEqual([
      { id: apple, title: 'apple' },
      { id: pear, title: 'pear' },
    ])
    expect(Sum).toBe(2)
  })
})
