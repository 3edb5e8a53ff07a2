import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { execSync } from 'node:child_process'
import { Contenders, storages } from './contenders.ts'
import { createFilledTable } from './filled-table.ts'
import { LoadClient } from './load-client.ts'
import { sampleColumns, sampleFields, sampleRecord, sampleRecords } from './sample-table.ts'
const folder = mkdtempSync('/work/main/bench/data/cpu-')
const c = new Contenders({ storage: storages[0]!, folder, flags: [], flagsOfOurs: process.env.PROF ? ['--cpu-prof', '--cpu-prof-dir=' + process.env.PROF, '--cpu-prof-interval=200'] : [] })
const pidOf = (url: string) => Number(execSync(`ss -ltnpH 'sport = :${new URL(url).port}'`).toString().match(/pid=(\d+)/)![1])
const cpu = (pid: number) => { const f = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' '); return [Number(f[11]) * 10, Number(f[12]) * 10] as const }
const ours = await c.startOurs(), hand = await c.startHandwritten(), group = await c.startHandwritten({ isGrouping: true })
const { tableId, recordIds } = await createFilledTable(ours, { fields: 5, records: 10_000 })
const tables = { hand: await hand.createTable(sampleColumns(5)), group: await group.createTable(sampleColumns(5)) }
const h1 = new LoadClient({ url: hand.url, connections: 16 }), g1 = new LoadClient({ url: group.url, connections: 16 }), o1 = new LoadClient({ url: ours.url, connections: 16, token: ours.token })
await h1.send({ method: 'POST', path: `/table/${tables.hand}/record`, body: JSON.stringify({ records: sampleRecords(5, 0, 10000) }) })
const n = 10000
const res: Record<string, number[]> = {}
const turn = async (name: string, url: string, cl: LoadClient, f: (i: number) => any, n: number) => { const pid = pidOf(url); const a = cpu(pid); const rate = await cl.drive(16, n, f); const b = cpu(pid); const us = ((b[0]-a[0]) + (b[1]-a[1])) * 1000 / n; (res[name] ??= []).push(us); console.log(name.padEnd(14), 'user', ((b[0]-a[0])*1000/n).toFixed(1), 'sys', ((b[1]-a[1])*1000/n).toFixed(1), 'us/req', us.toFixed(1), Math.round(rate), '/s') }
for (let r = 0; r < Number(process.argv[2] ?? 3); r++) {
  if (!process.argv[3] || process.argv[3] === 'read') {
  await turn('read ours', ours.url, o1, i => ({ method: 'GET', path: `/api/table/${tableId}/record/${recordIds[i * 7919 % 10000]}` }), n)
  await turn('read hand', hand.url, h1, i => ({ method: 'GET', path: `/table/${tables.hand}/record/${1 + i * 7919 % 10000}` }), n)
  }
  if (!process.argv[3] || process.argv[3] === 'create') {
  const body = (i: number) => JSON.stringify({ records: [sampleRecord(5, i)] })
  await turn('create ours', ours.url, o1, i => ({ method: 'POST', path: `/api/table/${tableId}/record`, body: body(i) }), n)
  await turn('create group', group.url, g1, i => ({ method: 'POST', path: `/table/${tables.group}/record`, body: body(i) }), n)
  }
}
await Promise.all([o1.close(), h1.close(), g1.close()])
await c.stopAll(); rmSync(folder, { recursive: true })
