import type { OperationExamples } from '../../../platform/http/openapi/openapi.ts';

/** Responses of the operations, as a service returned them; secrets are zeros. */
export const examples: OperationExamples = {
  getPublicKey: {
    '200': {
      kid: 'Y_P_EK4jEsvXsKQHCrAVfXyTpcCPeY_wkhFdafIqYRY',
      algorithm: 'Ed25519',
      public_key: '8ef059913d4fa6c7620f1ce7c7a1d7041337327563691f20e35db6feabcd867c',
      public_key_multibase: 'z6Mkp5EWFme6SPg6xg3Y1uMqmzkfGEvrB5e9S8UAHGt5X8TD',
      public_key_jwk: {
        kty: 'OKP',
        crv: 'Ed25519',
        x: 'jvBZkT1PpsdiDxznx6HXBBM3MnVjaR8g4122_qvNhnw',
      },
      purpose: 'receipts',
      audience: 'trust.example+fKBYJgmnEfPLiwJek1hNo3ASdPEGxcQlmUq8fi1RZRs',
      valid_from: '2026-05-01T12:00:00.000Z',
      rotation: {
        next_kid: null,
        next_valid_from: null,
        previous: [],
      },
    },
  },
  listTransparencyKeys: {
    '200': {
      keys: [
        {
          kid: 'Y_P_EK4jEsvXsKQHCrAVfXyTpcCPeY_wkhFdafIqYRY',
          public_key: '8ef059913d4fa6c7620f1ce7c7a1d7041337327563691f20e35db6feabcd867c',
          algorithm: 'Ed25519',
          purpose: 'receipts',
          status: 'active',
          valid_from: '2026-05-01T12:00:00.000Z',
          valid_until: null,
          log_index: 0,
          receipts_logs: [],
          receipts_tree_size: null,
        },
        {
          kid: 'FtIu-VbGrfe_KB6CH7GNwODB72MNxj_ml11dEvO-7kk',
          public_key: '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
          algorithm: 'Ed25519',
          purpose: 'credentials',
          status: 'active',
          valid_from: '2026-05-01T12:00:00.000Z',
          valid_until: null,
          log_index: 2,
          receipts_logs: [],
          receipts_tree_size: null,
        },
        {
          kid: 'fKBYJgmnEfPLiwJek1hNo3ASdPEGxcQlmUq8fi1RZRs',
          public_key: '64cc3b0fde03593607bc4c8a54a4550ce16e198be1496dc0ac415ca22fe7f0ce',
          algorithm: 'Ed25519',
          purpose: 'receipts-log',
          status: 'active',
          valid_from: '2026-05-01T12:00:00.000Z',
          valid_until: null,
          log_index: 4,
          receipts_logs: [],
          receipts_tree_size: null,
        },
        {
          kid: '3AZRGxoWEAgQfcwdzV1rkH9L_2VNw_qIIVH5qgI-djM',
          public_key:
            '5bc4b33a9aaf0682fb2b7bb60bbdf724ba5a3fca0526ffdc958ea343eb0e325debbca14613c8322a252e55f919e7864a69c15a4fe9fa36c035fa646144ec317613874b1d73f92e6985af57681d6af1045d091b06d354d4f00a601732d53ac7d59a03241db8827bcf689e09fa460b38091913ac90608f4b51b13985b548df70696ae6aabe71216e44f50e11141866bba744cd359b8e97b9ce1f0d46bccb21ee93e0afa1efae713de0c9280a63864899030f6e1ce61d151635bd9b62c8fd25a38f38fcecbeb91733d6b2b9d7b5a1a22be54bee064c8866d658af4ef04a08e592f54256cc7a8c7934c02e308fb68c1458cb78f30dac9e1a7e3acbff4fc213277faf2a2d4bf6a0731f4194dd8cad660fc94eb284be4468a38a09025133f0456a8123b9a0401c080c59f7dfae0c5e67b0dfc5479e5aa02bfb754f5ccc798b717060d407e5937bdfb1443bd2775ea83e0d2b77799a9d69c72ac83539fb8385cf677697bd71658dd8738752afb0d9c8e748a1031ee702dcade29196e43eaf0261908048476eeff48a8466d18f90b98f53b57061b1ff4a6ff10c9d65fb7008206ef8d0aebbd310ac51e19e350d06d0bd4e861be4cc2a8db7a5a2ea0dd1fde6499c08ab790d8bd47ac969cef106dad75e3e94793c5124038c99a190d98762536924afd384a2d10269c298732077ccb7c253dafaf5a9c8a557b99f07eca72fb17d5942ddadb65e5263ce91b3c689d8291651bb9f6bd4f8e7507e362cdd2cb27542cb3649f4ad3851bd5f478339daf2462ebaf1167e1d16ec00119d2fa500c0688e28e204721795057867ce653fc1b6396ad911b6cbb193ee139ac29b7266529760659c91c1aa29bff373d4c582a53ae1bc6b1a353c6f025d14d1f6e774bc0e52daa3810ee98d632f9c74a0b8e58d1fa2eaa82bf10e698a50cea04d007712e7e5c5d8edcd052c8aa8620dd87d574b6d12558c475d9baff15a28f5c42b3a2b51f0f14a9df8d6dab06ec24c104223a011b735f7bd98ebe991203852b99c7e4d1f814167517227a63cf88c45a3264277ec0bcaa7a019f2be8ea0bf43ac2beb15389dd2050b865f4e7738654ac6ac9f4ed1a7523addcac5adb1cfce64f5632f041d38c31d3ddf4869519d3079bb7cebe0d6f556123b6c4a9e84e5990abe621f11b12cf3c40a6cfabcb2fe9df5894b20ccead81486bed5508fd12e66f099382593631c4a3a6708a40d4619d1b2e21cbdd15f9634e21479bb871fded28efd8afb4afe32659501d795666fdfa57519a40ebf91df9324968f153f5cfacb45f17f5b625599394109eabef10de0537aec0f55ead6135e6c98eae3638ee2e97cb63963ad7748bcedb7061e96bda539f2be6500fba6d4320462a24a9f4359768c966c40e6a7a694e1867b0e3dcb8eff3f723b0b63c9909799d42d73bbc5e160d4335816a57c43d1e3b2fae0022627be866a611909665cad112d08e2833c4c1ee87f6aed5bad5b89cf56de03e9e94f8acfe5d41133bbc1f29d847968d4d94af834c06c96a6bc04adc0cbd4135cffbe78ff021a3634d6e2c7e8d5dc09ef91f255990f11e79837b7baa5ac4254b3e45271c6c634a3ea044b77dec6f8e357bf87c3cf66346b75434faa875aaa2fc269a239cbc10e50cc5ebe436765b7a889de76a9a3c2d0ba4d8ccfc613969407e8f5aa82b4424212ce747a2fd67c4e43b0611941836bc32890734d62274b7dedbd6ce8bce6bb50977b4393af51f479a8883a91088201547c380a8c10601094eec2a874942b0676b309eed2ef8c3a4e2a02ff0ddfa3da625d5ca455a7c1accb826c1d4ecddddb0175fbb3d5f47cc4621e7fedf1409caa19ae4475e165c42b263e',
          algorithm: 'ML-DSA-44',
          purpose: 'receipts-log',
          status: 'active',
          valid_from: '2026-05-01T12:00:00.000Z',
          valid_until: null,
          log_index: 6,
          receipts_logs: [],
          receipts_tree_size: null,
        },
        {
          kid: '_rLEFyk_9piSp9oDr-Fzp7W0p5XCLrv2NpLmCldEnOA',
          public_key: '449e7660bde7dca840d8db8e842461b7cd1f1733f2e2aab0edc7185b5112daf5',
          algorithm: 'Ed25519',
          purpose: 'keys-log',
          status: 'active',
          valid_from: '2026-05-01T12:00:00.000Z',
          valid_until: null,
          log_index: 8,
          receipts_logs: [],
          receipts_tree_size: null,
        },
        {
          kid: 'FVvnp1-mX5fVDxXZgCU8OYwBPP4ZA1RsNrC6MlL5Clw',
          public_key:
            '6e978a27f9bba92dc0fc6da32e78e28ed109f962856b97ea75df84cd2f51d399eaedb5dd7766933d07bbf4622ca0faa49844b44a3e77c725372d10d84c72a0787b6f3e8f97fa14e39d58405e013e559e6536161c64ee223635c2e69eec4c7ab2b05e2f2c835e70990a8ddb2ee39bed498459d0d5bf439c62e0f7e396ad10a6e14c01881eff083503d280dd072a08d72e47b836bc4dc459383aaf5ae7cca13cbbbf30b50cc337d5b153e394424fb9497dbc7599804b0358e8bada7ae4f9eee5502e2af3e50e9b0a27dec725f4f1b0de19c208878fc9da50c11309be70ea20ce42a88807b610f30cebbda04ecacdaeee50d545329a50f40d526e3241b5e67eef30b27413e85c7e3d9ada7d938f53ee581234abc52a61eb6a95eadf7591fb911f2ef7dc85e8ec775d0c4233492c87537b40ed05e8d59c60fdb3350f76f79a341c0d652cdc83d574c6368868bf8e5460a86336020a4051e7a592d37dfd8d0837025e6cc31eeee9fd11aea8a08495e613705375d49b17e79846c72806f5228699161677ef5344f1ba6a58b6b4b7480b0aab13f99b71d3dfd182a2ce3c4b716cf94fb07339271ff7f76f513084f6da0dcd7477e07ab794daf89e6893366c557abd6308549b8b5f7682407fd9fd6dfee44d89da3ccaa66f7db85cf71e6095494316b9b88ec3f0de733dcb1f399f5b770400038c2201f387fd30cc3bc8265667fdc32aca87a46cf75c47cad7210193eecae0279ab8cb52988c96ac002cacb197347a84ac14e353c3c86eb70ecdbfa793eddd3673ee0ea93be2fe126aa65e828c65a07bece9d3ebb75d38f617702ae4af4e8091cfb27d16ef744346a6e11f43bff8cbdb36fd6635c01ee3edd30b068bee229c6d435a334baa3da7a0033ac8cd1c388b451c9a751791c2aad19233195a85cc12635f85023b779f9b03d18948aafa986cced731741fb5ed9a5060029f10ab5849bfbe9dbced9ca2cee5205125bfd3856054e2a3368dfa53209d1536d7f2bce64317089a7b1f5dfe2f53fd11eb17a5a46f2ce2215820fe27cb09e758a0aa009c1c92863116c6e76e0fe217fc74669a5197f9991c67d15c798295db8944000a3a94bcfc89a7157b212a42a76d63c22826538265245b9189d8793f58199a20c99a47032f4725450267e70baa95a6ed54486679aede2a868537b1f45498256a28a072adc1d15a84cdf2f527dddda8970369510d806596f3b2e4ab7d033bb60b4bcaf16c9b846393efd52ac66cd624ab2755412a3d8eb1765c7827229874d0e76d78783734eeff30a75dcb4a60cbfa7d5b148fc19a3e5a3eeb1f217e931d9a9372ea3e88c15590c40e02368966f13e84a70a04ad9874adf5a135de803a555ee7cbc9be98db28ee0ccd48078c603bc9e41dd0bbf0a21e0e94cd59bf372a1acf644af371fc32c66322cb3b122eab29bd30a93a02256bf842e63637a6f80841028376851d6fb7c99d0b144d81bc655ba220e74bd1a560f4840d987d0735f6b846e1cb52214c9ac6592b8942338ff340d3c3b27202e45190b0b2bb1cdbe839f19564bbc6fdce0b07c2a9d9e38fe8fb8a7d3c46600e236dd2635812d279b95653121fea1a538a845d8570bc483167220bc7d103e7baeacc976003a37798b2457afdb31ca3533036dbebcac39246b28bb90740a67cd83799597043668bf6e916df0d0cea9e9628b7df637d1288d205df476c3d15951e6e0b7dd1bce9ddcc5605cd54377430350151c667f81280776c50d7b5c9571694fd70d8a6dd2e6666302fcfc6d6362b61bc7b4d39a84d1c1a24c8604cb4c263b4aca921c295cf35674da8b4f6554cb94d7a13a832ebbe51afa21c38cbd6f2e726dc9d',
          algorithm: 'ML-DSA-44',
          purpose: 'keys-log',
          status: 'active',
          valid_from: '2026-05-01T12:00:00.000Z',
          valid_until: null,
          log_index: 10,
          receipts_logs: [],
          receipts_tree_size: null,
        },
      ],
      log: {
        origin: 'trust.example/keys',
        tree_size: 20,
        root_hash: '642ae84d5fabd45f286764617cfcb450b59990f726b6f6c67c07ced03eb135ee',
        checkpoint:
          'trust.example/keys\n20\nZCroTV+r1F8oZ2RhfPy0ULWZkPcmtvbGfAfO0D6xNe4=\n\n— trust.example/keys 8xGyOg/iAua3m1SLx9jI1HaNi0EAFcO9VUwrL0l6ibZQDl/ERNO48qUV3l+k2ssU4XGYuodBqQjbqtKemOi1Obl4Ygk=\n— trust.example/keys 6D0f9AAAAABp9JXAiQx6mO2/xurTEQbvFRIlTnX6WN8Euyo9rePIZspVUjSPu6LYIHUko86rLYMnDGhMB0HEcqpXsADU47w9FHp3yEKHLkfBN7r1S8bwji3mgnBa0uEssKaFhJH+OH5oh1fyLZJNtB3oo4AlR6ngWrSbWMtPBgbjRg/akLIE5roFN9KYKZNPuGNnaCyLwxbJAPL1zCbEYsR3j6VReLGfKoybQfMBO8ZkRtCOk6MS15Khmxx5rsrG7ld9KSElGMGX8Yfd3QKB4fNMji3xELMyXbMjzdJcXf4U1yZ7+g9oaSEwJ7bsxo01VjbL5bg3EWhO7rAQdQqg8EVSchjunSD7b0TuvGFh87ZGbSq6iiPjKzjfrGfw0J5CMa3pkgx8x8n+VvWkMovmzErb17pmEP/M1ir5ZlLEk+flB50bvto/qWKl2SMYJ2MubZCNVBnEhqOWMu9sN5s/VXfeIKvVedZBoNYejBL6OdOfYnqo9jQwpgg1OW68Tznz50ugQ1bVHBYbtpT1Asg6l5FYggralCqDEtdoYATEVNKgz9tTdSadZ7QCCGDnK+KHdaDALmuGW2RgJn9p8VbSA6+WjXu0nr3F0UmEapamJZjIW9Z6BdSzRunf8Ga7tYmWWaUNgrnsz7sIeMqJGrJDxzooQAf+ck4nL4+FhT76Pm9mlZm6Z+ENU0id/3LN61LY3VYO2BnK4dUBZxq7HegG03GT2zSuto4z6RADC6RFNN3OSPcZMrvfu+p2t6xdE5yqBlEwN3bc/wGJGqwttDCXhKho8XWL72A4GsRtLwkPp7YiHdd3qIrXvQmOTEQYpvAx9Mswdlcbjvk9rjSn4pHuIQSzZ+FQzcJIY7qtLAvN/3u4M1mrvFGrL40UGu5t/ot6pEpSwRl4jHPpCh+tNf1afz1mU8aJSKtwh+ZELcqxyCuWH+xa9QY5QLsVk1TYw7Xs0nGIRE7GZbsLtnbUd9ndWmYOywup6VsEpVubM23/sRRsdbS+160NwnpXLhsIHlS8sXcL2UioBVhViK45nRHzt3aBvq3nnKdH43RX1FNW78L8U3VWBH4c9ox7MMnWH7U7fBUAWdSgUvGDJPSfekmj/e6Ms6sQsrZXMi4AHkxaWy9u+inKlsBmGHUFP0BsWki8A4ISR9zg6jgBJgmLRpVkYlT/4Au89uYJpexC2B7+0LGsAnGgJcFdMjKjhY/ZxmadunT1nZix48adPHOXo08xVSxgziUiCKipU+EF0uVP3Qaq+dGAx7yDJRRl9mwaGBIdwbjMhS326MndPs6iS/ZDikktBlTPYIxUfGWiy834JPtwjIy6L6Iqfo47e7D8ztZHO2bJErQxAd+5OJR6YDpOrA7+JC9TlixBg8PxAUzqbVV9j+/Z/SDvtxNCjKjpJzniANITIUkJMlUCuFyshjyVyHJueZnlYfNfZIc4XK53EhzJF3+W2goKjrJVHv0ZIqiGOJvTR1k94GLOi/VERMUGckAUNryflpDaZhpVxtwT6IjfjCW01pqD/JZ+RQtm4qyAk94FjkObebxoAk7K5MaIaTb8JiMJbN7c1OrVjWdV3VNqD387BFBwsnPSyNj/QI094kSRnuhCAOXBrzSJpk/4M6bypaEJF58cq1f0coX4++31Lglrm7nBJQUDYcl0CIW1tji9cVjkKfWJ4Pnuk3z4ysjX3cFb15XHWRBljnDbtInvf/0gu9UAzsbq+fPrA62nzm0Y7R3xlAtNpArVYnlvRxxY1E/4mY0Z+joozDkh3rMPNBcOtZdOuiH+ROQBPAME6FMApC9pn9MknEWlOHWB7hk5s6I+LRDO4uj6lktLIAYlBySrF4iYjSdjuHbngmXybZkAFa78fKWpLx4admWXRHbnHx8gJfvrnukVM0NjUc05kvnwnZ9QcgTquACgotk6OZVqPiybOWcZ8AhDlR5ldIMkqaF7nVJuEDmHEiajgjbk1Nm78Tt36udaMCTGXouaZJyX45DDS9Li/hKkNiJQUBd6TuYzeycef4BPs4WSeLnOxQk1gLfw2/uJLiilYHSyhjf5lf7uURyyclj2iWwfry/NT88+32KOY2agSSt7V/DhgV1WGi1LEQIquPMGp7aVUzKdV0vWsQyGhMLpRjdVqcUbxxuFhS1F9eFjPC6K5GNqhNiE4TEw7Sh9TfoPV2A3CgDh+fCfLF4zBrQwKzo8Sy/qsXywlzZU6b9mlXXX//4mLPhWB9P8PdyKDo3RPwl7OD+dOjbjb9NP4GMM4Zj6WcSXNOdIgSqKKmj5F/3IiAQ7FEAqyM7GDf3BRDFwJrrlDhIiQqEYENmx5nwZNBALtOC/9iuaHkiZUp6ClxBk7gJskhHUuVgfQV4BZ/9nI4ZfImpjbNp88Jm4hrXKqXoZKVcgao8ZI9o394IIm+fFRHgPPF7rJBGAPTq48/AdlPZlt0jZRkO3TYm1A1e+rBgjxeGIrQy76t3ZBDmrYu8J3lnubQ44racxLqLaVLGIF2mNRWcPYpa5Zh3dc+kXoxLkVRVyp2p9OxT+5OkCdBFz6njvh8EHtObnYyq4m184eyM6MUR1BPCoUPIqKZkzF45F+Dtuv8RWA+UCP1+gdclkhQ5YRru/nn+9U/ecoLNGzjJGFC/6wm0yEl02q3vp6MuGPPZdS7569pMxGJjqw98+VVFMchuhG5AQB93udaWqyMB5+IAXJ16xeWTcYI9WcU9VumpIVmGxUvm65RcZT5udnWu9K3f8sEtR8ruz9H9IlEZE1P5VEp+hlL4+mfdB51hcRwWpE7zBkG6oE6S6t4f6cJL7tjNJ9G5Myj+L0hVb0BwW9KBmpTXBnSfl93Q/7R6QnQYjUPISveFUgE6ib/Wm9efuhdRgzELL/pee3Q1Z0CkOGMgp9EPMl+3TdHRFo3jR0v8yQ7jbvHkxsQPxaFCPmZvK4NXXBggsWP2e5SKoTEgdmNBXyr05xyj69SZ97ciail+bjW2K4ryc8hpFI+qFbE8Ar+/pEJTovmxzAePJJwA5S6wkUbOuwKe23Ruh10uk68fyZAQmbmaJjLXmaDUofhrGDvQNdEyXdrohi8XPpBDXKTDcLnj3+wICAkY4ylRFCHSmPB/eWPNRqzw/eMEP1IYVUYSM568XtXP8ZZIABxYXIDA6SnV5fYKWna6yzNEPHCMkMEpSi5qqwtHb6xQcHi9DVl9jdIKRk5qsrs/e4PYMDRs6Oz1FRldelPT1AAAAAAAAAAAAAAAAAAAAABIgM0A=\n',
      },
    },
  },
};
