import { type HttpWorld, openHttpWorld } from '@gateleg/testing/http/http-world'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import type { Person } from '@gateleg/testing/worlds/world'
import { afterEach, beforeEach, expect, test } from 'vitest'

describeOnEveryStorage('credentials that are changed between two calls', (storage) => {
  let world: HttpWorld
  let ada: Person

  beforeEach(async () => {
    world = await openHttpWorld(storage)
    ada = await world.newPerson('Ada')
  })
  afterEach(() => world.close())

  test('[HTTP-231] a call by a token that was given other scopes goes by these', async () => {
    const [space] = await ada.api.spaces.listSpaces({})
    const base = await ada.api.bases.createBase({ spaceId: space?.id ?? '' })
    const table = await ada.api.tables.createTable({ baseId: base.id })
    const session = await world.engine.authenticate(ada.accessToken)
    const { accessTokens } = world.engine.as(session as never)
    const settings = { name: 'Robot', hasFullAccess: true }
    const { id, token } = await accessTokens.createToken({
      ...settings,
      scopes: ['record|read', 'table|read'],
      expiredTime: '9999-01-01',
    })
    const path = `/api/table/${table.id}/record`
    const read = async () =>
      (await world.send({ method: 'GET', path, headers: { Authorization: `Bearer ${token}` } }))
        .status
    expect([await read(), await read()]).toEqual([200, 200])
    await accessTokens.updateToken({ id, ...settings, scopes: ['table|read'] })
    expect([await read(), await read()]).toEqual([403, 403])
    await accessTokens.updateToken({ id, ...settings, scopes: ['record|read', 'table|read'] })
    expect([await read(), await read()]).toEqual([200, 200])
    await accessTokens.deleteToken({ id })
    expect([await read(), await read()]).toEqual([401, 401])
  })
})
