import { openEngine } from '/work/main/packages/engine/src/open-engine.ts'
import { sqlite } from '/work/main/packages/adapters-sqlite/src/sqlite.ts'
import { rmSync } from 'node:fs'
rmSync('/tmp/perf.db', { force: true }); rmSync('/tmp/perf.db-wal', { force: true })
const engine = await openEngine({ storage: sqlite({ file: '/tmp/perf.db' }) })
const user = await engine.public.accounts.signUp({ email: 'a@example.com', password: 'abcdefg1' })
const api = engine.as({ userId: user.id })
const [space] = await api.spaces.listSpaces({})
const { id: baseId } = await api.bases.createBase({ spaceId: space.id })
const time = async (what, f) => { const t = performance.now(); const r = await f(); console.log(what, Math.round(performance.now() - t), 'ms'); return r }
const big = await api.tables.createTable({ baseId, name: 'Big', fields: [{ name: 'Name', type: 'singleLineText' }, { name: 'N', type: 'number' }, { name: 'T', type: 'singleLineText' }], records: [] })
for (let i = 0; i < 0; i++) await api.records.createRecords({ tableId: big.id, records: Array.from({ length: 20000 }, (_, j) => ({ fields: { Name: `row ${i}-${j}`, N: j, T: String(j * 1.5) } })) })
//const done = new Promise(res => engine.subscribe(e => { if (e.name === 'calculation.finished') res(undefined) }))
//await time('add formula 100k until done', async () => { await api.fields.createField({ tableId: big.id, type: 'formula', options: { expression: '{N} * 2 + 1' } }); await done })
//await time('convert text->number 100k', () => api.fields.convertField({ tableId: big.id, fieldId: big.fields[2].id, type: 'number' }))
const countries = await api.tables.createTable({ baseId, name: 'Countries', fields: [{ name: 'Name', type: 'singleLineText' }, { name: 'Code', type: 'singleLineText' }], records: Array.from({ length: 250 }, (_, i) => ({ fields: { Name: `Country ${i}`, Code: `C${i}` } })) })
const regions = await api.tables.createTable({ baseId, name: 'Regions', fields: [{ name: 'Name', type: 'singleLineText' }], records: [] })
const link = await api.fields.createField({ tableId: regions.id, type: 'link', name: 'Country', options: { relationship: 'manyOne', foreignTableId: countries.id, isOneWay: true } })
await api.fields.createField({ tableId: regions.id, type: 'singleLineText', isLookup: true, lookupOptions: { linkFieldId: link.id, foreignTableId: countries.id, lookupFieldId: countries.fields[1].id } })
const c0 = countries.records[0].id
await time('create 3987 linked', () => api.records.createRecords({ tableId: regions.id, records: Array.from({ length: 3987 }, (_, i) => ({ fields: { Name: `r${i}`, Country: { id: c0 } } })) }))
for (let k = 0; k < 0; k++) await time('edit country', () => api.records.updateRecord({ tableId: countries.id, recordId: c0, record: { fields: { Name: 'X' + k, Code: 'Y' + k } } }))
const t10 = await api.tables.createTable({ baseId, name: 'T10', fields: [{ name: 'Name', type: 'singleLineText' }, { name: 'C', type: 'singleLineText' }, { name: 'N', type: 'number' }], records: Array.from({ length: 10000 }, (_, i) => ({ fields: { Name: `r${i}`, C: `Country ${i % 250}`, N: i } })) })
for (let k = 0; k < 40; k++) await time("formula on 10k", () => api.fields.createField({ tableId: t10.id, type: 'formula', options: { expression: `{N} * ${k} + 1` } }))
//await time('text->link 10k', () => api.fields.convertField({ tableId: t10.id, fieldId: t10.fields[1].id, type: 'link', options: { relationship: 'manyOne', foreignTableId: countries.id } }))
await engine.close()
