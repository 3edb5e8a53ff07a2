import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { invalidAt } from '@gateleg/testing/worlds/base-world'
import { openTableWorld } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { beforeAll, expect, test } from 'vitest'
import type { Action } from '../access/roles.ts'
import { limits } from '../limits.ts'

describeOnEveryStorage('charts of plugins', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  let tableId: string
  let query: object
  let names: readonly string[]
  let numberId: string

  beforeAll(async () => {
    const table = await world.makeNames('Things', 'A', 'B', 'A')
    tableId = table.id
    names = [table.primaryId, (await world.fieldOf(table, 'Count')).id]
    numberId = names[1] ?? ''
    query = {
      from: tableId,
      groupBy: [{ column: names[0], type: 'field' }],
      aggregation: [{ column: numberId, type: 'field', statisticFunc: 'sum' }],
    }
  })

  const storedOf = (id: string) => world.engine.store.read((tx) => tx.pluginInstalls.find(id))

  const chart = { pluginId: 'plgchart', name: 'Chart' }

  /** A chart on a panel and one on a dashboard, each with what sets its storage and what asks for it. */
  async function installed() {
    const { api, baseId } = world
    const panel = await api.pluginPanels.createPanel({ tableId, name: 'Panel' })
    const onPanel = { tableId, pluginPanelId: panel.id }
    const { pluginInstallId } = await api.pluginPanels.installOnPanel({ ...onPanel, ...chart })
    const { id: dashboardId } = await api.dashboards.createDashboard({ baseId, name: 'Board' })
    const onBoard = { baseId, dashboardId }
    const other = await api.dashboards.installOnDashboard({ ...onBoard, ...chart })
    const dashboardInstallId = other.pluginInstallId
    return [
      {
        keep: (storage: Record<string, unknown>) =>
          api.pluginPanels.setPanelStorage({ ...onPanel, pluginInstallId, storage }),
        ask: (by = api, more: object = {}) =>
          by.charts.getPanelChart({
            ...{ tableId, pluginInstallId, positionId: panel.id, cellFormat: 'json' },
            ...more,
          }),
        kept: async () => (await storedOf(pluginInstallId))?.storage,
        elsewhere: { positionId: dashboardId },
      },
      {
        keep: (storage: Record<string, unknown>) =>
          api.dashboards.setDashboardStorage({
            ...onBoard,
            pluginInstallId: dashboardInstallId,
            storage,
          }),
        ask: (by = api, more: object = {}) =>
          by.charts.getDashboardChart({
            ...{ baseId, pluginInstallId: dashboardInstallId, positionId: dashboardId },
            ...{ cellFormat: 'json', ...more },
          }),
        kept: async () => (await storedOf(dashboardInstallId))?.storage,
        elsewhere: { positionId: panel.id },
      },
    ] as const
  }

  test('[CHART-10] refuses what is not there, and what is no such query', async () => {
    const stranger = await world.newPerson('Bob')
    for (const { keep, ask, elsewhere } of await installed()) {
      const absent = { code: 'not_found' }
      await expect(ask()).rejects.toMatchObject(absent)
      await keep({ colour: 'blue' })
      await expect(ask()).rejects.toMatchObject(absent)
      await keep({ query })
      await expect(ask(stranger.api)).rejects.toMatchObject(absent)
      await expect(ask(world.api, elsewhere)).rejects.toMatchObject(absent)
      await expect(ask(world.api, { pluginInstallId: 'pliNone' })).rejects.toMatchObject(absent)
      for (const [kept, ...path] of [
        ['text'],
        [{ from: 7 }, 'from'],
        [{ ...query, groupBy: [{ column: 'fldGone', type: 'field' }] }, 'groupBy', 0, 'column'],
      ] as const) {
        await keep({ query: kept })
        await expect(ask()).rejects.toMatchObject(invalidAt('storage', 'query', ...path))
      }
    }
  })

  test('[CHART-10] [ACCESS-10] shows fields to tokens alone that may read them', async () => {
    const by = (...scopes: readonly Action[]) => {
      const actor = { kind: 'token', userId: world.ada.userId, tokenId: 'acc1' } as const
      return world.engine.as({ ...actor, scopes: new Set(scopes) })
    }
    for (const { keep, ask } of await installed()) {
      await keep({ query })
      const blind = ask(by('base|read', 'table|read', 'record|read'))
      await expect(blind).rejects.toMatchObject({ code: 'restricted_resource' })
      const seeing = await ask(by('base|read', 'table|read', 'record|read', 'field|read'))
      expect(seeing.columns.map(({ fieldSource }) => fieldSource.id)).toEqual(names)
    }
    const { baseId } = world
    const asked = by('base|query_data', 'record|read').charts.queryBase({ baseId, query } as never)
    await expect(asked).rejects.toMatchObject({ code: 'restricted_resource' })
  })

  test('[CHART-20] follows choices that get other names', async () => {
    const table = await world.makeNames('Tasks', 'A', 'B')
    const made = await world.addField(table, {
      ...{ type: 'singleSelect', name: 'State' },
      options: { choices: ['open', 'done'].map((name) => ({ name })) },
    })
    await world.change(table, table.recordIds[0], { State: 'done' })
    const rename = async (from: string, to: string) => {
      const { options } = await world.fieldOf(table, 'State')
      const { choices } = options as { choices: readonly { name: string }[] }
      const renamed = choices.map((one) => (one.name === from ? { ...one, name: to } : one))
      await world.api.fields.convertField({
        ...{ tableId: table.id, fieldId: made.id, type: 'singleSelect' },
        options: { choices: renamed },
      } as never)
    }
    const item = { fieldId: made.id, operator: 'is', value: 'done' }
    const anyOf = { fieldId: made.id, operator: 'isAnyOf', value: ['done'] }
    const where = {
      conjunction: 'and',
      filterSet: [item, { conjunction: 'or', filterSet: [anyOf] }],
    }
    const charts = await installed()
    for (const { keep } of charts) {
      await keep({ colour: 'done', query: { from: table.id, where } })
    }
    await rename('done', 'finished')
    await rename('open', 'done')
    for (const { ask, kept } of charts) {
      expect((await ask()).rows).toMatchObject([{ [table.primaryId]: 'A' }])
      expect(await kept()).toMatchObject({ colour: 'done', query: { from: table.id } })
    }
    // What is no filter, and what is about another field, stays as it is.
    const [panel, board] = charts
    const others = [
      { query: { from: table.id, where: 'done' } },
      {
        query: {
          ...query,
          where: { conjunction: 'and', filterSet: [{ ...item, fieldId: names[0] }] },
        },
      },
    ] as const
    await panel.keep(others[0])
    await board.keep(others[1])
    await rename('done', 'open')
    expect(await panel.kept()).toEqual(others[0])
    expect(await board.kept()).toEqual(others[1])
  })

  test('[CHART-20] refuses names for which a chart has no room', async () => {
    const table = await world.makeNames('Full', 'A')
    const made = await world.addField(table, {
      ...{ type: 'singleSelect', name: 'State', options: { choices: [{ name: 'a' }] } },
    })
    const filterSet = [{ fieldId: made.id, operator: 'is', value: 'a' }]
    const [{ keep }] = await installed()
    const kept = { text: '', query: { from: table.id, where: { conjunction: 'and', filterSet } } }
    const room = limits.pluginStorageBytes - JSON.stringify(kept).length
    await keep({ ...kept, text: 'x'.repeat(room) })
    const { options } = await world.fieldOf(table, 'State')
    const [choice] = (options as { choices: readonly object[] }).choices
    await expect(
      world.api.fields.convertField({
        ...{ tableId: table.id, fieldId: made.id, type: 'singleSelect' },
        options: { choices: [{ ...choice, name: 'ab' }] },
      } as never),
    ).rejects.toMatchObject(invalidAt('options'))
  })

  test('[CHART-10] answers the query that is kept, to readers too', async () => {
    const viewer = await world.newCollaborator('Vera', 'viewer')
    const rows = [
      { [names[0] ?? '']: 'A', [`${numberId}_sum`]: 4 },
      { [names[0] ?? '']: 'B', [`${numberId}_sum`]: 2 },
    ]
    for (const { keep, ask } of await installed()) {
      await keep({ query, form: 'bar' })
      const answer = await ask()
      expect(answer.rows).toEqual(rows)
      expect(answer.columns.map(({ type }) => type)).toEqual(['field', 'aggregation'])
      expect(await ask(viewer.api)).toEqual(answer)
      const texts = await ask(world.api, { cellFormat: undefined })
      expect(Object.values(texts.rows[0] ?? {})).toEqual(['A', '4.00'])
    }
  })

  test('[CHART-10] refuses the query of a field that is gone', async () => {
    const table = await world.makeNames('Gone', 'A')
    const { id: fieldId } = await world.fieldOf(table, 'Count')
    for (const { keep, ask } of await installed()) {
      const aggregation = [{ column: fieldId, type: 'field', statisticFunc: 'sum' }]
      await keep({ query: { from: table.id, aggregation } })
      const field = await world.fieldOf(table, 'Count').catch(() => undefined)
      if (field) {
        expect((await ask()).rows).toEqual([{ [`${fieldId}_sum`]: 1 }])
        await world.api.fields.deleteField({ tableId: table.id, fieldId })
      }
      await expect(ask()).rejects.toMatchObject(
        invalidAt('storage', 'query', 'aggregation', 0, 'column'),
      )
    }
  })
})
