import { createClient } from '@gateleg/contract/client'
import { type HttpWorld, openHttpWorld } from '@gateleg/testing/http/http-world'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import type { Person } from '@gateleg/testing/worlds/world'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

const password = 'open sesame'

describeOnEveryStorage('shares over HTTP', (storage) => {
  let world: HttpWorld
  let ada: Person
  let tableId: string
  let viewId: string
  let shareId: string

  beforeAll(async () => {
    world = await openHttpWorld(storage)
    ada = await world.newPerson('Ada')
  })
  afterAll(() => world.close())
  beforeEach(async () => {
    const { id: baseId } = await ada.api.bases.createBase({ spaceId: ada.spaceId })
    const table = await ada.api.tables.createTable({ baseId })
    tableId = table.id
    viewId = table.views[0]?.id ?? ''
    shareId = (await ada.api.views.enableShare({ tableId, viewId })).shareId
  })

  const visit = (path = '', headers: Record<string, string> = {}) =>
    world.send({ method: 'GET', path: `/api/share/${shareId}/view${path}`, headers })
  const prove = (sent = password) =>
    world.send({
      method: 'POST',
      path: `/api/share/${shareId}/view/auth`,
      body: { password: sent },
    })
  const lock = () => ada.api.views.setShareMeta({ tableId, viewId, password })

  test('[HTTP-181] the token of a password is a cookie, and a header for who has none', async () => {
    expect((await visit()).status).toBe(200)
    await lock()
    const refused = await visit('/records')
    expect([refused.status, refused.json()]).toEqual([
      401,
      expect.objectContaining({ code: 'unauthorized_share' }),
    ])
    expect((await prove('wrong')).status).toBe(400)
    const proven = await prove()
    expect(proven.status).toBe(201)
    const { token } = proven.json() as { token: string }
    const [cookie = ''] = [proven.headers['set-cookie'] ?? ''].flat()
    expect(cookie).toBe(
      `gateleg_share_${shareId}=${token}; Path=/; Max-Age=86400; HttpOnly; SameSite=Lax`,
    )
    const Cookie = cookie.slice(0, cookie.indexOf(';'))
    for (const headers of [{ Cookie }, { 'X-Share-Token': token }]) {
      expect((await visit('/records', headers)).status).toBe(200)
    }
    const other = `gateleg_share_shr0=${token}`
    for (const headers of [
      { Cookie: other },
      { Cookie: `gateleg_session=${token}` },
      { Authorization: `Bearer ${token}` },
      { 'X-Share-Token': `${token}x` },
      { 'X-Share-Token': ada.accessToken },
    ]) {
      expect([headers, (await visit('', headers)).status]).toEqual([headers, 401])
    }
    for (const headers of [{ Authorization: `Bearer ${token}` }, { 'X-Share-Token': token }]) {
      const answer = await world.send({ method: 'GET', path: '/api/space', headers })
      expect(answer.status).toBe(401)
    }
    const client = createClient({ baseUrl: `${world.url}/api`, shareToken: token })
    expect((await client.shares.getSharedView({ shareId })).viewId).toBe(viewId)
  })

  test('[HTTP-181] a credential that is good for nothing is passed over where none is needed', async () => {
    for (const headers of [
      { Authorization: 'Bearer nothing' },
      { Cookie: 'gateleg_session=nothing; gateleg_share_x=y' },
      { 'X-Share-Token': 'share.x.y.z' },
      { 'X-Anonymous-User': ada.userId },
    ]) {
      expect((await visit('', headers)).status).toBe(200)
    }
  })

  test('[HTTP-181] who has signed in matters to forms that ask for it, but for pages of other sites', async () => {
    const form = await ada.api.views.createView({ tableId, type: 'form' })
    viewId = form.id
    shareId = (await ada.api.views.enableShare({ tableId, viewId })).shareId
    await ada.api.views.setShareMeta({ tableId, viewId, submit: { requireLogin: true } })
    const send = (headers: Record<string, string>) =>
      world.send({
        ...{ method: 'POST', path: `/api/share/${shareId}/view/form-submit`, headers },
        body: { fields: { Name: 'Sent' }, fieldKeyType: 'name' },
      })
    const Cookie = `gateleg_session=${ada.accessToken}`
    expect((await send({ 'X-Anonymous-User': ada.userId })).status).toBe(401)
    expect((await send({ Cookie, 'Sec-Fetch-Site': 'cross-site' })).status).toBe(401)
    expect((await send({ Cookie })).status).toBe(201)
    expect((await send({ Authorization: `Bearer ${ada.accessToken}` })).status).toBe(201)
    const key = { 'Idempotency-Key': 'one', Cookie }
    const first = await send(key)
    expect((await send(key)).json()).toEqual(first.json())
    const { rowCount } = await ada.api.aggregations.getRowCount({ tableId })
    expect(rowCount).toBe(3 + 3)
  })

  test('[HTTP-181] a query by the names of hidden fields, and other members of it, tell nothing', async () => {
    const { id: fieldId } = await ada.api.fields.createField({
      ...{ tableId, type: 'singleLineText', name: 'Covert' },
    })
    const columnMeta = [{ fieldId, columnMeta: { hidden: true } }]
    await ada.api.views.setColumnMeta({ tableId, viewId, columnMeta })
    const ask = async (key: string) => {
      const item = { fieldId: key, operator: 'isEmpty', value: null }
      const filter = encodeURIComponent(JSON.stringify({ conjunction: 'and', filterSet: [item] }))
      const answer = await visit(`/records?filter=${filter}&projection[]=${key}`)
      const { message, ...rest } = answer.json() as { message: string }
      return JSON.stringify([answer.status, message, rest])
    }
    expect(await ask('Covert')).toBe(await ask('Absent'))
    expect((await visit('/row-count?ignoreViewQuery=true')).status).toBe(400)
    expect((await visit('/records?filterLinkCellSelected=fld0')).status).toBe(400)
  })
})
