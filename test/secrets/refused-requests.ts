import type { Scene } from './scene.ts'

type Ids = Readonly<Record<string, string>>
type Headers = Readonly<Record<string, string>>

const json = { 'Content-Type': 'application/json' }

/** Sends what is refused for what surrounds a body, with a secret in each place that there is. */
export async function sendWrongRequests(scene: Scene, ids: Ids, token: string): Promise<void> {
  const own = { Authorization: `Bearer ${token}` }
  for (const path of wrongPaths(scene, ids)) {
    for (const headers of [own, {}, { ...own, Accept: 'text/html' }]) {
      await scene.send({ path, headers })
    }
    await scene.send({ method: 'POST', path, headers: { ...own, ...json }, body: '{}' })
    await scene.send({ method: 'DELETE', path })
  }
  const change = { method: 'PATCH', path: `/api/space/${ids.spaceId}`, body: '{"name":5}' }
  for (const headers of wrongHeaders(scene, own)) {
    await scene.send({ path: '/api/space', headers })
    await scene.send({ ...change, headers: { ...headers, ...json } })
  }
  await sendWrongForms(scene, ids, own)
  await sendWrongBytes(scene, own)
}

/** Paths and queries that lead nowhere, or have what they don't take. */
function wrongPaths(scene: Scene, ids: Ids): readonly string[] {
  const url = (place: string) => encodeURIComponent(scene.secret(`in ${place}`))
  const records = `/api/table/${ids.tableId}/record`
  return [
    `/${url('a path')}`,
    `/api/${url('a path of the api')}`,
    `/api/space/${url('an id')}`,
    `/api/space?token=${url('a query')}`,
    `/api/space?${url('a member of a query')}=1`,
    `/?token=${url('the query of the front page')}`,
    `/health?token=${url('the query of health')}`,
    `/docs/${url('a path of the docs')}`,
    `/plugins/${url('a plugin')}`,
    `/share/${url('the id of a share')}`,
    `/api/share/${url('the id of a share that is read')}/view`,
    `${records}?take=${url('a number of a query')}`,
    `${records}?viewId=${url('an id of a query')}`,
    `${records}?filter=${url('a filter')}`,
    `${records}?cursor=${url('a cursor')}`,
    `/api/attachments/read/${url('the path of a file')}?token=${url('the token of a file')}`,
    `/api/user/avatar/${url('the path of a picture')}`,
    `/api/oauth/decision/${url('a question')}`,
    `/api/oauth/authorize?client_id=${url('an app')}&state=${url('the state of an app')}`,
    `/api/auth/oidc/${url('a provider')}/start`,
    `/api/auth/oidc/x/callback?state=${url('a state')}&code=${url('a code')}`,
    `/api/auth/oidc/x/callback?state=x&error=${url('an error')}`,
  ]
}

/** Headers that are wrong, or that nobody reads. */
function wrongHeaders(scene: Scene, own: Headers): readonly Headers[] {
  const word = (place: string) => scene.word(`in ${place}`)
  return [
    { Authorization: word('a credential without a scheme') },
    { Authorization: `Basic ${word('a credential of another scheme')}` },
    { Authorization: `Bearer ${word('the first of two')} ${word('the second of two')}` },
    { Authorization: `Bearer ${word('a credential that is unknown')}` },
    { Cookie: `gateleg_session=${word('a session that is unknown')}` },
    { ...own, Cookie: `other=${word('another cookie')}` },
    { ...own, 'If-Match': `"${word('a version')}"` },
    { ...own, 'X-Api-Key': word('a header that nobody reads') },
    { ...own, 'Idempotency-Key': word('the key of a call') },
    { ...own, 'X-Request-Id': word('the id of a request') },
    { ...own, 'X-Window-Id': word('the id of a window') },
    { ...own, 'X-Forwarded-For': word('the address of a caller') },
    { ...own, Referer: `https://a.example/?token=${word('the page before')}` },
    { ...own, 'User-Agent': word('the name of a program') },
    { ...own, Origin: `https://${word('the site')}.example` },
    { ...own, Accept: `text/${word('a type')}` },
  ]
}

/** Bodies of types that aren't taken, parts of a form, and a body that is too long. */
async function sendWrongForms(scene: Scene, ids: Ids, own: Headers): Promise<void> {
  const secret = (place: string) => scene.secret(`in ${place}`)
  const create = { method: 'POST', path: '/api/space' }
  for (const type of ['text/plain', 'application/xml', 'multipart/form-data']) {
    const body = JSON.stringify({ name: secret(`a body of ${type}`) })
    await scene.send({ ...create, headers: { ...own, 'Content-Type': type }, body })
  }
  const form = new FormData()
  form.set(secret('the name of a part'), secret('a part'))
  const path = `/api/table/${ids.tableId}/record/${ids.recordId}/${ids.filesFieldId}/uploadAttachment`
  await scene.send({ method: 'POST', path, headers: own, body: form })
  const long = JSON.stringify({ name: secret('a body that is too long').repeat(200_000) })
  await scene.send({ ...create, headers: { ...own, ...json }, body: long })
}

/** What is no HTTP, or ends in the middle. */
async function sendWrongBytes(scene: Scene, { Authorization }: Headers): Promise<void> {
  const word = (place: string) => scene.word(`in ${place}`)
  const head = `Host: localhost\r\nAuthorization: ${Authorization}\r\n`
  for (const text of [
    `GET /?token=${word('a line that is none')} HTTP/9.9\r\n${head}\r\n`,
    `GET /api/space HTTP/1.1\r\n${head}${word('a header that is none')}\r\n\r\n`,
    `GET /api/space HTTP/1.1\r\n${head}X-Long: ${word('a header that is too long').repeat(2_000)}\r\n\r\n`,
    `POST /api/space HTTP/1.1\r\n${head}Transfer-Encoding: chunked\r\n\r\n${word('a chunk')}\r\n`,
    word('no request at all'),
  ]) {
    await scene.write(`${text}\r\n`)
  }
}
