import { z } from 'zod'

/** A folder by its own id, as the routes answer it that know folders rather than nodes. */
export const folderOutput = z.object({ id: z.string(), name: z.string() }).meta({ id: 'Folder' })
