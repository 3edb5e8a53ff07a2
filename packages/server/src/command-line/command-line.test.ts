import { expect, test } from 'vitest'
import { runProgram } from '../../../../test/server-process.ts'
import { helpAbout, helpText, readCommandLine } from './command-line.ts'

test('[SERVER-18] reads what is asked for', () => {
  const requests = [
    [[], { command: 'serve' }],
    [['serve'], { command: 'serve' }],
    [['citus'], { command: 'citus' }],
    [['backup', 'x.db'], { command: 'backup', file: 'x.db', isWithKey: false }],
    [['backup', '--with-key', 'x.db'], { command: 'backup', file: 'x.db', isWithKey: true }],
    [['restore', 'x.db'], { command: 'restore', file: 'x.db' }],
    [['--help'], { command: 'help' }],
    [['help'], { command: 'help' }],
    [['move', '--to', 'postgres://h/d'], { command: 'move', to: 'postgres://h/d' }],
    [['rotate-key'], { command: 'rotate-key' }],
    [['jobs'], { command: 'jobs' }],
    [['jobs', 'retry', 'purge'], { command: 'retry', id: 'purge' }],
    [['backup', '-h'], { command: 'help', about: 'backup' }],
    [['help', 'import'], { command: 'help', about: 'import' }],
    [
      ['import', 'a.csv', '--base', 'b'],
      { command: 'import', file: 'a.csv', baseId: 'b', partial: false },
    ],
    [
      ['import', 'a', '--base', 'b', '--encoding', 'utf-8', '--delimiter', 'tab', '--partial'],
      {
        command: 'import',
        file: 'a',
        baseId: 'b',
        encoding: 'utf-8',
        delimiter: '\t',
        partial: true,
      },
    ],
    [
      ['import', 'a.csv', '--base=b', '--table', 't'],
      { command: 'import', file: 'a.csv', baseId: 'b', tableId: 't', partial: false },
    ],
    [['export', 't'], { command: 'export', tableId: 't' }],
    [
      ['export', 't', '--view', 'v', '-o', 'x'],
      { command: 'export', tableId: 't', viewId: 'v', out: 'x' },
    ],
    [
      ['export-base', 'b', 'x.gateleg'],
      {
        command: 'export-base',
        baseId: 'b',
        file: 'x.gateleg',
        withHistory: false,
        withTrash: false,
      },
    ],
    [
      ['export-base', 'b', 'x', '--with-history'],
      { command: 'export-base', baseId: 'b', file: 'x', withHistory: true, withTrash: false },
    ],
    [
      ['export-base', 'b', 'x', '--with-trash'],
      { command: 'export-base', baseId: 'b', file: 'x', withHistory: false, withTrash: true },
    ],
    [
      ['import-base', 'x', '--space', 's', '--same-ids'],
      { command: 'import-base', file: 'x', spaceId: 's', name: undefined, sameIds: true },
    ],
    [
      ['import-base', 'x.gateleg', '--space', 's', '--name', 'n'],
      { command: 'import-base', file: 'x.gateleg', spaceId: 's', name: 'n', sameIds: false },
    ],
    [['--version'], { command: 'version' }],
  ] as const
  for (const [args, request] of requests) expect(readCommandLine(args)).toEqual(request)
})

test.each([
  [['citrus'], 'It takes one of these: gateleg serve'],
  [['citus', 'now'], 'It takes one of these'],
  [['toString'], 'It takes one of these'],
  [['backup'], 'gateleg backup takes the name of one file'],
  [['restore', 'a', 'b'], 'gateleg restore takes the name of one file'],
  [['restore', 'a', '--with-key'], '--with-key belongs to gateleg backup'],
  [['serve', '--with-key'], '--with-key belongs to gateleg backup'],
  [['move'], 'gateleg move takes --to and where the data'],
  [['move', 'x', '--to', 'y'], 'gateleg move takes --to and where the data'],
  [['serve', '--to', 'y'], '--to belongs to gateleg move'],
  [['--port'], "Unknown option '--port'"],
  [['backp', 'x'], '"backp" is not known: is backup meant? It takes one of these'],
  [['jbos'], '"jbos" is not known: is jobs meant? It takes one of these'],
  [['nonsense', '--help'], '"nonsense" is not known. gateleg --help'],
  [['help', 'bakcup'], '"bakcup" is not known: is backup meant? gateleg --help'],
  [['--hepl'], '"--hepl" is not known: is --help meant? gateleg --help'],
  [['jobs', 'retry'], 'gateleg jobs takes nothing, or "retry" and the id of one job'],
  [['jobs', 'retry', 'a', 'b'], 'gateleg jobs takes nothing, or'],
  [['jobs', '--with-key'], '--with-key belongs to gateleg backup'],
  [['import', 'a.csv'], 'gateleg import takes the name of one file, and --base'],
  [['import', '--base', 'b'], 'gateleg import takes the name of one file, and --base'],
  [['import', 'a', '--base', 'b', '--out', 'x'], 'gateleg import takes no --out'],
  [['export', 'a', '--partial'], 'gateleg export takes no --partial'],
  [['export'], 'gateleg export takes the id of one table'],
  [['export', 'a', '--base', 'b'], 'gateleg export takes no --base'],
  [['export-base', 'a'], 'gateleg export-base takes the id of one base, and the name'],
  [['export-base', 'a', 'b', '--out', 'c'], 'gateleg export-base takes no --out'],
  [['import-base', 'a'], 'gateleg import-base takes the name of one file, and --space'],
  [['import-base', 'a', '--with-history'], 'gateleg import-base takes no --with-history'],
  [['import-base', 'a', '--with-trash'], 'gateleg import-base takes no --with-trash'],
  [['export-base', 'a', 'b', '--same-ids'], 'gateleg export-base takes no --same-ids'],
  [['import-base', 'a', '--base', 'b'], 'gateleg import-base takes no --base'],
  [['backup', 'a', '--view', 'b'], '--view belongs to the commands that import or export'],
  [['--help=x'], "Option '-h, --help' does not take an argument"],
])('[SERVER-18] says of %j in one sentence what it takes', (args, beginning) => {
  const read = () => readCommandLine(args)
  expect(read).toThrow(beginning)
  expect(read).toThrow(/gateleg --help lists the commands and options\.$/)
})

test('[SERVER-18] tells how it is used and which version it is, and serves nothing', async () => {
  expect(await runProgram(['--help'], { PORT: 'x' })).toEqual({
    code: 0,
    stdout: helpText,
    stderr: '',
  })
  for (const [command, line] of [
    ['backup', 'gateleg backup FILE [--with-key]'],
    ['serve', 'gateleg [serve]'],
    ['import', 'gateleg import FILE --base BASE'],
  ] as const) {
    const about = helpAbout(command)
    expect(about.match(/^ {2}gateleg .*/gm)).toEqual([expect.stringContaining(line)])
    expect(helpText.startsWith(about.slice(0, about.indexOf('\n')))).toBe(true)
    expect(helpText.endsWith(about.slice(about.indexOf('It reads its settings')))).toBe(true)
    expect((await runProgram([command, '--help'], {})).stdout).toBe(about)
  }
  const { code, stdout, stderr } = await runProgram(['--version'], {})
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(/^gateleg \d+\.\d+\.\d+\n$/)
})
