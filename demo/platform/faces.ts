export interface Face {
  isWoman: boolean
  skin: string
  shade: string
  hair: string
  cut: 'short' | 'long' | 'bob' | 'bald' | 'curly' | 'scarf'
  shirt: string
  wall: string
  hasBeard?: boolean
  hasGlasses?: boolean
}

export const faces: readonly Face[] = [
  { isWoman: true, skin: '#d8ac8d', shade: '#c08f70', hair: '#3b2d29', cut: 'long', shirt: '#7b4a52', wall: '#b9c4c6' },
  {
    isWoman: false,
    skin: '#d8b094',
    shade: '#c79d80',
    hair: '#3b2f2c',
    cut: 'short',
    shirt: '#5a6f86',
    wall: '#c9cfd6',
  },
  { isWoman: true, skin: '#f0cdb4', shade: '#d9ac90', hair: '#b8863f', cut: 'bob', shirt: '#3f6b63', wall: '#d5cfc4' },
  {
    isWoman: false,
    skin: '#8d5f43',
    shade: '#754b34',
    hair: '#1d1715',
    cut: 'short',
    shirt: '#b08a3e',
    wall: '#bfc8c0',
    hasBeard: true,
  },
  {
    isWoman: true,
    skin: '#7a4f38',
    shade: '#643f2c',
    hair: '#181312',
    cut: 'curly',
    shirt: '#a0556b',
    wall: '#cdc6d2',
  },
  {
    isWoman: false,
    skin: '#e8c6a6',
    shade: '#cfa684',
    hair: '#15161a',
    cut: 'short',
    shirt: '#30475e',
    wall: '#c4ccd4',
    hasGlasses: true,
  },
  { isWoman: true, skin: '#e9c9a8', shade: '#d0a987', hair: '#16161b', cut: 'long', shirt: '#51617a', wall: '#c8d2cc' },
  {
    isWoman: false,
    skin: '#c98f6a',
    shade: '#b17854',
    hair: '#2a1f1a',
    cut: 'curly',
    shirt: '#6d5a8a',
    wall: '#d2cabf',
    hasBeard: true,
  },
  {
    isWoman: true,
    skin: '#cf9c78',
    shade: '#b88461',
    hair: '#4c5f73',
    cut: 'scarf',
    shirt: '#4c5f73',
    wall: '#d0d5d8',
  },
  {
    isWoman: false,
    skin: '#e2b594',
    shade: '#c99877',
    hair: '#8d8d90',
    cut: 'bald',
    shirt: '#445544',
    wall: '#c3c9cf',
    hasGlasses: true,
  },
  {
    isWoman: true,
    skin: '#edc4a6',
    shade: '#d4a384',
    hair: '#8a3f24',
    cut: 'curly',
    shirt: '#2f5d7c',
    wall: '#cbd3c6',
  },
  {
    isWoman: false,
    skin: '#f1d0ba',
    shade: '#dab097',
    hair: '#a77b3c',
    cut: 'short',
    shirt: '#73493f',
    wall: '#bfcad1',
    hasBeard: true,
  },
  {
    isWoman: true,
    skin: '#b87a56',
    shade: '#9f6444',
    hair: '#211815',
    cut: 'bob',
    shirt: '#8b6a2c',
    wall: '#d6d0c9',
    hasGlasses: true,
  },
  {
    isWoman: false,
    skin: '#6c4431',
    shade: '#573526',
    hair: '#14100f',
    cut: 'bald',
    shirt: '#3b5f8a',
    wall: '#c7cdc9',
  },
]

const behind: Record<Face['cut'], string> = {
  short: '<path d="M86 232c-10-98 28-150 86-150s96 52 86 150z"/>',
  bald: '',
  long: '<path d="M84 200c-12 90-8 170 16 214 48 22 98 22 146 0 24-44 28-124 16-214z"/>',
  bob: '<path d="M86 232c-10-98 28-150 86-150s96 52 86 150z"/><path d="M80 190c-10 70-6 120 8 146 54 20 116 20 170 0 14-26 18-76 8-146z"/>',
  curly:
    '<g><circle cx="92" cy="190" r="44"/><circle cx="254" cy="190" r="44"/><circle cx="84" cy="250" r="38"/><circle cx="262" cy="250" r="38"/><circle cx="120" cy="128" r="52"/><circle cx="226" cy="128" r="52"/><circle cx="172" cy="106" r="52"/></g>',
  scarf: '<path d="M60 210c0-100 50-146 112-146s114 46 114 146c0 80 20 150 34 196H26c14-46 34-116 34-196z"/>',
}
const inFront: Record<Face['cut'], string> = {
  short:
    '<path d="M84 222c-20-104 26-146 88-146s106 40 88 146c-6-46-20-74-44-90-42 14-92 8-110 20-12 18-16 40-22 70z"/>',
  bald: '<path d="M92 230c-8-20-10-44-6-62 4 16 4 40 6 62zM252 230c8-20 10-44 6-62-4 16-4 40-6 62z"/>',
  long: '<path d="M82 250c-18-122 30-168 92-168s108 44 88 168c-6-58-24-88-48-104-42 16-88 8-108 22-14 22-20 48-24 82z"/>',
  bob: '<path d="M82 244c-16-118 32-164 90-164s106 46 90 164c-4-50-8-70-16-92-50 6-98-2-130-22-18 26-28 64-34 114z"/>',
  curly: '<path d="M92 190c2-52 34-90 80-90s80 38 82 90c-14-30-34-44-54-50-24 12-56 10-74 4-16 12-28 26-34 46z"/>',
  scarf: '<path d="M88 238c-14-96 26-150 84-150s100 54 84 150c-2-66-30-104-84-104s-82 38-84 104z"/>',
}

/** Head and shoulders in a box of 360 by 480, without a background. */
export function drawFace(face: Face): string {
  const { skin, shade, hair, cut, shirt } = face
  const brow = cut === 'scarf' || cut === 'bald' ? '#3a302b' : hair
  const beard = `<path d="M94 246c4 60 32 92 78 92s74-32 78-92c-12 34-28 42-46 40-20-4-44-4-64 0-18 2-34-6-46-40z" fill="${hair}" opacity=".92"/>`
  const glasses =
    '<g fill="none" stroke="#2b2f36" stroke-width="4"><rect x="112" y="208" width="52" height="38" rx="14"/><rect x="180" y="208" width="52" height="38" rx="14"/><path d="M164 222q8-6 16 0M112 220l-20-6M232 220l20-6"/></g>'
  return `<g fill="${hair}">${behind[cut]}</g>
<path d="M12 480c2-106 58-136 158-136s158 30 160 136z" fill="${shirt}"/>
<path d="M130 296h84v58c-18 34-66 34-84 0z" fill="${shade}"/>
<ellipse cx="92" cy="236" rx="12" ry="20" fill="${shade}"/><ellipse cx="252" cy="236" rx="12" ry="20" fill="${shade}"/>
<ellipse cx="172" cy="222" rx="80" ry="102" fill="${skin}"/>
${face.hasBeard ? beard : ''}
<g fill="${hair}">${inFront[cut]}</g>
<path d="M122 204q16-9 32 0M190 204q16-9 32 0" stroke="${brow}" stroke-width="5" fill="none" stroke-linecap="round"/>
<ellipse cx="138" cy="226" rx="8" ry="6.5" fill="#fff"/><ellipse cx="206" cy="226" rx="8" ry="6.5" fill="#fff"/>
<circle cx="138" cy="226" r="5" fill="#34281f"/><circle cx="206" cy="226" r="5" fill="#34281f"/>
<path d="M172 228l-7 32q7 6 15 1" stroke="${shade}" stroke-width="4" fill="none" stroke-linecap="round" stroke-linejoin="round"/>
<path d="M144 286q28 ${face.isWoman ? 20 : 14} 56 0" stroke="#a1584f" stroke-width="6" fill="none" stroke-linecap="round"/>
${face.hasGlasses ? glasses : ''}`
}
