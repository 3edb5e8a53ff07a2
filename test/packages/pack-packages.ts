import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildPackages } from '../../scripts/packaging/build-packages.ts'
import { root, workspacePackages } from '../../scripts/packaging/workspace-package.ts'

/** A package as it would be published. */
export interface PackedPackage {
  readonly name: string
  /** Its folder in the workspace: `packages/domain`. */
  readonly folder: string
  /** The path of its tarball. */
  readonly tarball: string
  /** The names and texts of its files: `package.json`, `dist/index.js`. */
  readonly files: ReadonlyMap<string, string>
}

/** Builds all packages and packs each into the folder. */
export async function packPackages(folder: string): Promise<readonly PackedPackage[]> {
  await buildPackages()
  const only = ['--recursive', '--filter', './packages/*']
  execFileSync('pnpm', [...only, 'pack', '--pack-destination', folder], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return workspacePackages().map(({ name, version, folder: source }) => {
    const tarball = join(folder, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`)
    return { name, folder: source, tarball, files: filesOf(tarball, folder) }
  })
}

function filesOf(tarball: string, folder: string): ReadonlyMap<string, string> {
  const listed = execFileSync('tar', ['tzf', tarball], { encoding: 'utf8' })
  const extracted = join(folder, 'extracted', tarball.slice(folder.length))
  mkdirSync(extracted, { recursive: true })
  execFileSync('tar', ['xzf', tarball, '-C', extracted])
  return new Map(
    listed
      .split('\n')
      .filter((path) => path !== '' && !path.endsWith('/'))
      .map((path) => [path.slice('package/'.length), readFileSync(join(extracted, path), 'utf8')]),
  )
}
