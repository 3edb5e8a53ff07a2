import { z } from 'zod'

/** A folder by its own id, as the routes answer it that know folders rather than nodes. */
export const folderOutput = z
  .object({
    id: z.string().describe('The id of the folder, not that of its node'),
    name: z.string().describe('Its name'),
  })
  .meta({ id: 'Folder' })
