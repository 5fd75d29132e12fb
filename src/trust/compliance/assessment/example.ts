/** A package as a service returned it, signed by the key of the example of the key list. */
export const packageExample = {
  type: 'compliance-package',
  v: 1,
  package_id: 'pkg_01a2054ee51e763c81ecdaa2dfcf6d93',
  kind: 'assessment',
  framework: 'EU_AI_ACT',
  framework_edition: 'Regulation (EU) 2024/1689 of 13 June 2024',
  issuer: 'did:key:z6MkhV8NWFJC5DLL7wYZKjPywKnJfZSCeZnfSZyq6SLRXHQR',
  subject: {
    did: 'did:key:z6MktwupdmLXVVqTzCw4i46r4uGyosGXRnR3XjN4Zq7oMMsw',
    state: 'ISSUED',
    subject_commitment: '8a8e80a8ebe6992659b02949dfaac1839a3a92758ce69a3620f419441768cc73',
    type: 'agent',
  },
  period: {
    from: '2026-01-31T12:02:16.501Z',
    to: '2026-05-01T12:02:16.501Z',
  },
  generated_at: '2026-05-01T12:02:16.500Z',
  view: 'public',
  checkpoints: [
    {
      log: 'receipts',
      note: 'trust.example/receipts\n1\nUFoutPoQ6gjmiohuFdhHu/rBZaIExnAGNzS3j53BZSE=\n\n— trust.example/receipts ZwVO32LyXhovLrr8eXGS7ecXxHZ4ZSro89gZ1tHJrbNaxdtxEfukplpLVRnw8821RhOHu+C2zey6/T/2T21uf66yyws=\n— trust.example/receipts tzgMAAAAAABp9JZIJh/MT9YYUAYIYMk/PrB1hm8aVqzu57ocz9JSLFNo9DOJZvP65bujOigYswxsLsozCUfKO+F8zJf4fhRWJ4pL696UMkfw8lHSA4mCK7iJccC0+1sZW0Sv8QiEe22n8JN++fghnTdR8XQPItO6JmOlLGAox4Rxkg6BVdNTkwRvxn7hJEmEnJ/lvubQlonzHCPH3CeOe74gLtBZzWfYDq2OYme/pFia/PsY4aFh+vFv6UXNt6fgihkaPt+nR0hvXpgCBlocy4rlj7PJXxlumbT0JH80uF4KxWQj1lJzRh+ec8ThCcMWeLIRDp4TnV96RpKNTZNPkND7ewapnq1a758mq5Mg/cLlaTVvgE8CmAqnAy4B1etS3zXB2NOyG/+2V1wwunH3df6/sFCfs6jrlnWibe3QyY41rKgD4NkCRoy31iWNfA0vEq2bjYEfD7dp1/QcjdfbA63M5Rq9C1ZWDfr471NGvzwTqYg7zjt7k60x/2W3PWqiUNdipPuootc9BjICsN8XTrub13m8dTflg6aFNxgQmCbmIVza7XfejTGxy8wfL25zGHDN4WWB6q9Efl1AuueyNyN1aHmB2AsGBolEF8he+fRbVrfSWeJzU4ZIMk8W7qAPS0kQeRsO+woZy87KoX0j5raxkXCEBUPgn6qz6JyKs1oCoHGRiw8aU4HprLslm1I+Yk8kQJiVaYVr6tA7ivnq69Is710j9S6ainNqfl4VL6C2x4ZlJBAe5HpgCdVChYRo5Psr3N32CYqsxFvPu8LLFC6fIgoS5KL7rMWlx96AgwJF1TQuDJ8IChYBShaoh4kRKHfx7fg7auHyvVLzoRxtb52GNs8A81rk8IiCMNM3ZDJnkVC9AbB0EHL9WMMeE3PkskFRKrpF3i1gR05soXHcR10aRAsjOcxGyQ5lZ0+hc+ENihqAAVVn8qkQ3V/x46/8FE0QL+XgzWhC7KuYJjXT4F/aeg2jD+wXLX/2NhxL3ImK2WT+Te6J44dsUyybFtSBogE9k6WVG5fLuqbD+g5OknTxvFsFGY1Bc8fM4YXKf8Nloj1PEzmZUSmLSX9I6LVGtCyKW8JDRTYLKF2XjxINGr/T9dpVSld+plyFcaI7iK44hEU1MHazLU7M9Ls2hz8bHlFlCEhTWk6dQVxWL8nIfbqv+n7vaExoB4bbFmMNMK9PysysSNOopI7YpwlL3FfZLAwhgbWy/OXosftp5VqHUbjoookTPoeQx8nU9ZCuVyzy/jSRauAJMYyH4XjYP83TjfnIGpQ+Pg6Ygo7eJmMgFstBtinWotUDyExsjvOq9Mo9y+vdcbbeg5WkdZfWPWpWy5e0ix9YHWClETr3A4ryHugKxWURu3nFCVTIAnKfrbwIxGa6zH6xl5R4iVzGQsHKhg1CQvQ4DyWU9mumswrKLOwBq9pc0qC07Ii6yR7LPFm4IyRCKCImWhrNUuy/2yFidfOs1vRTFT/h7hqW4cS5cAIGMBGi/vKssumXoWzL6iUOKd6n3ZEzxEQzBDly7C8d29uTzHGfjCBeOMgLDg7NzHr5+TIhUxA/G7pebrSGYdfPnSpE5m71Kfb5YAuRFrr3lfZ1LK9zG3AecTs9tcc5S558I2HCRAYnpbaSi27o1XvxFJumlLjCpu2ilFFomvqvB9DjvxKWKGezszpDF73vda57vCn9RwsiXJbK6uONGIDIgS1MVwzPWOsegLMl5Q1Dk4uJd8OfD46BIfXcIkyQk7si/Wx6lDzPjSkliVPfgTsG+c4fpCGg4aRCa7eA+a3Ta5o39QZLzFReJALLHLxoGNIdi3mScifd3JfcbeUmlUc1UurPqxJwKDLHdhsmVGZLfiw4mqC5iYNolytvwLnu/OLKL2QL195S7kh0NuiWlOJffP0xjB7/4qial4IzFm0wS68cfE2+mLvT4VkYStrHLibqkiY91LlGjgB9y1sv5cVNWLUI8eKFYn7EKI8K8jJJq2lrRE1DetELIc3xogb3xl/UALSECNcuw5pKQR+ryhQAiAG7Yf1u93cRLUJz9N41N/0Kevyi4Me1GuSevC5ctq4hCsjgYj3QgW/jvvMRXKdQI7wSQovagH39v7HkOY+noCrnz0Q8ILALRvoQEozMqSm8ScoCtj6eMH5vCnXD7Zk2T9N6jyxJD+Tn0PTB5Nt1OEIrNPteR90r3oEdaS725GExjBbovhZvcLFO4GcVhiR/gx0dlLl6LD2p+PUlimf6U0Bjz5CsVCplI/GZrxBwfMLxRdZa78FF+ByJ2SUCkH6csBrcztcX3JPvbcrDDcjSeoX2g/bK+nHbSOuawZH61+6gL2lSNrKHwZADr6W+Ye3nCZ3tyr1piGD6hoyC1fUaSXZE0POaDqaSVo/ITRFmc5IyZVGx42YgoXc1eq0sYwRWu/rkOGKjlbo8pufvCpEUggcPI/K6OaVTHG21NyFYa0xJfOrSSSiXi4LnFWvDEPNJCL5U64mh0OzOLlL6HsmsG7SjUVhWl15BNyXcTH8HVsGuGtApuAT/XIgcWqN/N8GVwhL1mZn9WpVn8wy9201B32iSOfz6Od/rGjWoMhzwqYOYbtxIA/6QsFfistO4BjikSN9u4gRFOw5sISxQtLaPgIUQzHtXHljoVqJqUmJaxUsT72yQr5GpKZnb4AnyHznRlFyTyTqg773rydiNAduE1IaAHs1LEIi7965TI4GfB8HmD4E2EBdVFkz757soWYZP57imfnV3+L1i1VDTOs2ow1PtvpyeHy4YD/ftt4QuBUOfZ6XDsEaIszfLUYJDL8pd4Zf8RhtNdgoaY5Y4pxA31rfGMkoXns9OytA3X/6x0L+U7mk7mytTbFAesueYtNA5mWJK/W9RD8EYdsINysSs5BEZlJNAitjcWKWEBYmuBs6MdArzXDHt/BmkUbPhb9d2kI6GiTKs/zA2or+ezi3/zQcCwU7MaigegrRUGXcVoFcY7i0sQCxflO9XdMbsufiK82ZY2VV+PgvAbxbbtDFfFG82229wsGZxh5jVscnkC1iiTKABKuATl23eLlS057YVfslLEoK686WiCV3XLVuasfgBgz8I/3yzMTdqXDJ9JtIqUIpoCyo9kuE2wtTNIp6ZM8mbMAgMJWiVDpoGFjY4Qk5aXm51d7DU1dwIChAUKC4zQmBicXSGh4iPnLq+yNje/gYaHCgvQENXbnunqrG6y9Dp+AIKFTAzOT1be36DnqvFzu7+AAAAAAAAAA8mOEk=\n',
      origin: 'trust.example/receipts',
      root_hash: '505a2eb4fa10ea08e68a886e15d847bbfac165a204c670063734b78f9dc16521',
      tree_size: 1,
    },
    {
      log: 'evidence',
      note: 'trust.example/evidence\n1\nJgFHsclkOoM5wSn3ikp7hwyhMQqcPFDbbKAlbdjDyFc=\n\n— trust.example/evidence V5eE8jVvGTTmBDaQDRGSyAhEydvOAzRO4GCZPr6M+Ik2AhFL1jg9uCD8H8NNbAhxpMEgmcNu39xYYwNmin7tQDnIDAU=\n— trust.example/evidence Kg34NgAAAABp9JZIRiKNqcgfYaL5a5EGQyfMow61fVCejcoiekX2AONyhyTfp1MvP403fYLXGQhlKil7GAdvUu4PAEhwaSWEQbUgTmBKcLf6/tYdmfvWDQZakRV8YFNrnJEet2xATUL/qkeJS1jlZn02qdl00WHgp3mlqP0HTeGsnd0zAEUJo+hpmc7kE89YlnjJI0jCfN52/ysGWfiV2TjeikcW++UcMZi9f3xMnHHkYbv48+llW/9vDeD38Inh3LZ544f2lVrnzu95noxHh1OTKY7MXMuwhOFIaUvrgteazvt76KqkUZPuG2lh3s47plyqLV/exnZJf7ktIRdT2HL8fvOXhXcTXBKOptXt9gp9jQP7Bas4H4ujRzNMA5TJGIZbpX5GFsWxSR77XHePxb/F7CB22+Ajy+pPyK+7/4dwjfNcxTSBm8ay3ctT4K3G0io5u6dbnYsD+Kp7VwaF97DF6z5TYjZaq5IFI+8X54NFfHGoOEFB0GWdDq4hnS8ziSSlVfl62g+CQfKcYFsv3nSyBUS6EpIMlwToXtfywujeU4aFSA9oylfw6Og4YGwLDoB2B8zlSINAjfM3u8yEd3vvvh1dpixTc2Wei3Mqc9gaGFPoQujcEtnLcmmavPxS6pOb6DhhTNqITVrxCC2iMDOuOfrvBT9XMLn8zb8G5J2hy/nnd0DjMBnWqK8ps3s2CsBVuc2V9op5iyhFVFusDyBLKy4A5Xrdd30Sunp19ZZive+21BRKQp5IirYJY7v6qfbdokqc085dUX4/rePuQ5wVcFH/JLgK2LScvEqQC6m28uh/i0vmtCf4/CHeGftdMfxgUPfHrIKzwnkjFSdGiFpxRZKrXvSjt+08/V+TjJCLdVflleUJVKi/78dggFubKA8jiMfr8ZzbZHwcPrES7ZbfVUayORlxgzM3JEpDtRZ1BtnwA/CnQ3Lw3A6D0jpbg3YlKhCayN3SjUWkSSF7oJC44tBArFjfaqmlnTJBl1JDH/bNu1NTWxog3BRXduUgb6ujLvmxAER8BcsgFthLlht1WNXHpC8qX0e0stfH49Ff+RVtkqoTlqnxKIs0putY7IO9NmoqfV5rp54zM4l9c1W0wOfbwE+/skYu0uXQFV+++Jfnd97O25VcZYkBjmPkSpa5c5BzHAaJ+/jrNrowJ1O34dLEofk539AzfVnNpOWgfxkqU3qUDMDN45NHBip0yc8q7Rymw/Qh88blJk9YtOLLqaUCBWccYP/l66a/7uNfTAQSCfKGuL7DXBPBu+r1QNy2RTsF4aQ+xomBgap2Bl7QmWOGWjx0/He1289rsQy9qBJ//5OqqIhlpt5AqzVflFCRz5Pukelen5rTmnHfDaeVU1BiZg1XpkZhHKFuk++Quule07K0oZONuMGvAJjHpdB+XhjOUczcN0utR/+4JZdoLLm7/WWXAgUkQVIKx0I9RT9Lte0j2Q+dVyWrAJl8rW9iC1pvbwkJMzA+6gsV9Z8inH8beUjThN4qDjWHeKX7QXc070KV4nw+SZH7EAUuyZtBxOXlXDUwrh0vVXtQy97mhgczspeIK/5axfoYXGWRFGsgeTe7Uf0DszsjDcqCW2FmeCMCjELtthR1I3azwUl5iBO3uez5xndKvn3RHnXVvl1DlO2lv1y5gfmQOaHiQvVqBjnYm834H2sSIFoEc0i+fqHerWyNr1yL+nj0mNOvQj8fmdZnYRTMLDSLOLwv/ZKG8KKZjcO6KrfKA6RwQRQ9hIx6mD/1L0ALh6E0GHTPUSg8xRp+2JwGsKushGbOzuqQ/J6yJ8iH+vGFYIe4w0gXXb/mFwI1/LFfWUxtAtL/jlwXquqqMer3evyEgouhWxHC3F9F/7s80YuaVRG1UF0cvZedRuOMIIKsL4CamEuEyhaeYmj5lCQ9T0mKGHsHHhVNBR3mWhupNn3jEqR0NEJ8F/SGTFSmSdcY/yVxfxawl/ybWi2ybsd9a3WV1y4UhEoGRxNPBObLRxwDHhc+3VcjU24VM+rRU1Uq2LxFLcGN5/QRJQNNo4ZECsEBCnSSstzyZf9xsQmr3doMoakU63W4ffZO0lEWQBCoI/OgkI3ogOWl7sZUBv0zf2vA7BCS+ssjB6Wrs2anHbF/R0Pg4YFq1O9B+rTF0nv7L5CuE+S0MiUiKqodIKS3UvspP5KAmftGDqjDO6XB8b1VDRqom3G4zYQ5AryWn6uT0m/JiXMeF0zx/VlY0wQj1ildR6chmbBa9FbVsoPZbAHxnmxjsdXwUyji9epDm3bgLd2ly/tB0mF9W6lTcfLSK+D5lZ7u3i/CZnJ0x96A3gxRfXUfZxJb0HiWfaQIzMJufDzT/5XWzHKs3QipBx2qH5r6zLDJPT/onyrCHgYsHINc1lDFPcafdGC41uuyhI8Lkcz/nKihyOO0Zs25G4nFD0MT15/IYi00PAwC83hFT3y/O8snnVfGD2DzTm+jykk5y0wclt2gQEviWlbH98TFqpmatOIYaqzH9IiQeD9amWaT8c3vCLQaRf30m0pTdgUD3EHQ9RA0ikd8YwGMnM3FCsRnmfmR4EruF+pfCO0BIwWbaKS1P6F6yv8gc0aXDw/d+zJsQ1hxqdZCTVIqvSB0I6kIlHpvcPq7iWDEZ7zbGwflxd5TXLHdwGUlUSXfLY20AhiaznslgeWdWStpJTeKDSlajw1CLY3o5jeVvP01J6y2Uk4+hEmzVdXLCIyccXQRvC5r2dsYoTijEOvpID6kzEDOSrxHafTDcyV74uJBEmwcqOFa1I+0cRJFi+NXbdSaV8+WUJxw0wkD9lcViCGF0oyVIrj6ra2APQtJrATNdavtUO5eGxn6VcNh+LRg4jDyqHYf7WIm5lByrx6OK0D9BvZFkq55T/DYFD79UcVjTwrWqkfvApsVdjYIzIO3cDFwKaqlgxu85pxYRKKgfKikoEulKDTY6eZOjjxfQ42IZ22pOoN4gzCl01mkdX1TZE9Q+zx9V6eFwQl6z/BOZhRXrPT4tZlNtY6nbe8fVqYbz2bLllQcH8uiUJDauDhuqSe9PWQ2YNHXhyodMWldTaD/40SabHHHAFG0FIrQ9KZYcO3kkqvzYqQCnPcy/pCIhaDsVsBWPgGBYNn55ohaHlw6RPQJDCk0OUVQXWJrb3qLkqCqwefv9fkPKi1NWYGEipydpquxusHvGyRBYGZ0iavM09fu8/saIk1RZm9zd6fA1uTl6vwAAAAAAAAAAAAAAAAAABUlM0I=\n',
      origin: 'trust.example/evidence',
      root_hash: '260147b1c9643a8339c129f78a4a7b870ca1310a9c3c50db6ca0256dd8c3c857',
      tree_size: 1,
    },
  ],
  summary: {
    not_assessed: 2,
    partial: 3,
    satisfied: 1,
  },
  controls: [
    {
      counts: {
        checkpoints: 2,
        evidence: 1,
        receipts: 1,
        traces: 0,
      },
      id: 'Art. 12',
      references: {
        count: 2,
        merkle_root: 'c1b45daae80e67d54877bec0417bce11dd03f40dd8fb7c6912aabcfd7601ef37',
        set: 'actions',
      },
      statement:
        'Receipts record actions when they end, evidence what the agent did. Both are in append-only logs with time and order.',
      status: 'satisfied',
      title: 'Automatic records of events',
    },
    {
      counts: {
        agent_revoked: 0,
        interventions: 0,
        receipts_refused: 0,
        receipts_revoked: 0,
        receipts_terminated: 0,
      },
      id: 'Art. 14',
      references: null,
      statement:
        'Refusals, terminations and revocations show that work was stopped. Whether a person decided so is not known to the service.',
      status: 'not_assessed',
      title: 'Human oversight',
    },
    {
      counts: {
        actions: 2,
        evidence_failed: 1,
        measured_days: 1,
        receipts_failed: 0,
        receipts_success: 1,
      },
      id: 'Art. 15',
      references: {
        count: 2,
        merkle_root: 'c1b45daae80e67d54877bec0417bce11dd03f40dd8fb7c6912aabcfd7601ef37',
        set: 'actions',
      },
      statement:
        'Successes and failures of real work are counted. Accuracy against a reference and resistance to attacks are not measured.',
      status: 'partial',
      title: 'Accuracy, robustness and cybersecurity',
    },
    {
      counts: {
        actions: 2,
        checkpoints: 2,
        log_days: 0,
      },
      id: 'Art. 19',
      references: {
        count: 2,
        merkle_root: 'c1b45daae80e67d54877bec0417bce11dd03f40dd8fb7c6912aabcfd7601ef37',
        set: 'actions',
      },
      statement:
        'Log entries cannot be removed unnoticed. Satisfied if the first one of the agent is 184 days older than the end of the period.',
      status: 'partial',
      title: 'Logs kept by the provider',
    },
    {
      counts: {
        log_days: 0,
        receipts: 1,
        sponsors: 1,
      },
      id: 'Art. 26(6)',
      references: {
        count: 1,
        merkle_root: '505a2eb4fa10ea08e68a886e15d847bbfac165a204c670063734b78f9dc16521',
        set: 'receipts',
      },
      statement:
        'The log has the receipts of the responsible operator. Satisfied if its first entry of the agent is 184 days older than the end.',
      status: 'partial',
      title: 'Logs kept by the deployer',
    },
    {
      counts: {},
      id: 'Annex XI, Section 1, point 2(e)',
      references: null,
      statement:
        'Energy is known for clusters, not for agents: the package of a cluster states the energy that was measured there.',
      status: 'not_assessed',
      title: 'Known or estimated energy consumption',
    },
  ],
  reference_sets: [
    {
      count: 2,
      description: 'Finalized receipts and evidence of the agent in the period.',
      merkle_root: 'c1b45daae80e67d54877bec0417bce11dd03f40dd8fb7c6912aabcfd7601ef37',
      name: 'actions',
      sample: [
        {
          hashes: [],
          leaf_entry:
            '{"content_hash":"f55c00f21b664bc035878f203d42c92ca64079bcc04015206bcd785e862eac8e","finalized_at":"2026-05-01T12:02:15.500Z","kid":"NkjTjgjdHc_OP23ZZO3UqPqiaL2SJMqyM8qusN6YvO0","receipt_id":"rcpt_01a2054ee3ab77509e40a51d83f381f3","signature":"959cfc79ffc449718806ed1df47b3b31dcbea2b6f45121d5ec0af871aeb35bcebe53bfef9a128ad921863443b2780c2bfe88030fb4388de6f3d356620f6be10c","v":1}',
          leaf_index: 0,
          log: 'receipts',
          path: ['JgFHsclkOoM5wSn3ikp7hwyhMQqcPFDbbKAlbdjDyFc='],
          position: 0,
        },
        {
          hashes: [],
          leaf_entry:
            '{"anchored_at":"2026-05-01T12:02:15.500Z","event_commitment_hash":"703e3c79e8fb4c99fc903efebe3287da2422a735fa03c9e97c9eb83a205f7ba3","index":0,"payload_digest":"5946e12f37b056e93b87e2c4bb698b254171eea4b846d4968732d8757ec8dca9","prev_event_hash":null,"source_type":"compliance_report","subject_commitment":"8a8e80a8ebe6992659b02949dfaac1839a3a92758ce69a3620f419441768cc73","v":1}',
          leaf_index: 0,
          log: 'evidence',
          path: ['UFoutPoQ6gjmiohuFdhHu/rBZaIExnAGNzS3j53BZSE='],
          position: 1,
        },
      ],
    },
    {
      count: 0,
      description:
        'Receipts of the agent that ended with a refusal or a termination, revocations of its receipts, and its own, in the period.',
      merkle_root: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
      name: 'interventions',
      sample: [],
    },
    {
      count: 1,
      description: 'Finalized receipts of the agent in the period.',
      merkle_root: '505a2eb4fa10ea08e68a886e15d847bbfac165a204c670063734b78f9dc16521',
      name: 'receipts',
      sample: [
        {
          hashes: [],
          leaf_entry:
            '{"content_hash":"f55c00f21b664bc035878f203d42c92ca64079bcc04015206bcd785e862eac8e","finalized_at":"2026-05-01T12:02:15.500Z","kid":"NkjTjgjdHc_OP23ZZO3UqPqiaL2SJMqyM8qusN6YvO0","receipt_id":"rcpt_01a2054ee3ab77509e40a51d83f381f3","signature":"959cfc79ffc449718806ed1df47b3b31dcbea2b6f45121d5ec0af871aeb35bcebe53bfef9a128ad921863443b2780c2bfe88030fb4388de6f3d356620f6be10c","v":1}',
          leaf_index: 0,
          log: 'receipts',
          path: [],
          position: 0,
        },
      ],
    },
  ],
  limits: [
    'Only what was reported to this service is in the package. What the agent did without a receipt or evidence does not appear.',
    'A receipt states what its operator said of an action; the service did not observe the action.',
    'The sample proves that sampled references are in the sets and in the logs. That a set has every entry of the period follows from the logs as a whole: read them, or ask a monitor.',
    'Receipts count for an agent if its sponsor finalized them while the agent was not revoked.',
    'Revocations after the period do not appear, not even those of receipts of the period: ask for the status of a receipt.',
  ],
  content_hash: '64db3bff12b0de8be523c1e276dc910d021c6a9346d2672f997efc1e1ffd0c77',
  signature:
    '17d2be175a914855bb5828920ec7f780c219dec83ef2b46a8ef84060d428d572a3204f68434e27f215687d36d1255eb4ce560d37108bc525981a148c2fc1f906',
  kid: 'FtIu-VbGrfe_KB6CH7GNwODB72MNxj_ml11dEvO-7kk',
};
